import type * as z from 'zod';
import { AppError } from '../errors.ts';
import { parseIfMatch } from '../etag.ts';
import type { Event, Middleware } from '../http.ts';
import type { Route } from '../route.ts';

const isMissing = ({ code, input }: z.core.$ZodIssue): boolean =>
  input === undefined && (code === 'invalid_type' || code === 'invalid_value');

const parse = (schema: z.ZodType | undefined, value: unknown, where: string): unknown => {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => ({
    field: issue.path.join('.') || where,
    message: isMissing(issue) ? 'is required' : issue.message,
  }));
  const [first] = details;
  throw new AppError('VALIDATION_ERROR', `${first?.field}: ${first?.message}`, { details });
};

/** The fields of a form by their names. */
export type Form = Readonly<Record<string, unknown>>;

/** The reader of forms with files, in `shared/multipart.ts`; a group without such routes does without it. */
export type ReadMultipart = (contentType: string, bytes: Buffer) => Promise<Form>;

const bodyBytes = ({ body = '', isBase64Encoded }: Event): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

const bodyText = (event: Event): string =>
  event.isBase64Encoded ? bodyBytes(event).toString() : (event.body ?? '');

const parseJson = (text: string): unknown => {
  // No body at all is an empty one, so that the answer names the fields that are missing.
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('VALIDATION_ERROR', 'The body is not valid JSON', {
      cause,
      details: [{ field: 'body', message: 'must be valid JSON' }],
    });
  }
};

const readers: Readonly<
  Record<Route['accepts'], (event: Event, readMultipart?: ReadMultipart) => unknown>
> = {
  json: (event) => parseJson(bodyText(event)),
  form: (event) => Object.fromEntries(new URLSearchParams(bodyText(event))),
  multipart: (event, readMultipart) => {
    if (!readMultipart) throw new Error('A group that takes files has no reader of forms');
    return readMultipart(event.headers['content-type'] ?? '', bodyBytes(event));
  },
};

/** A path that fits no record's id is the path of nothing. */
const parseParams = (route: Route, event: Event): unknown => {
  const result = route.params?.safeParse(event.pathParameters ?? {});
  if (result && !result.success)
    throw new AppError('NOT_FOUND', 'There is nothing at this address');
  return result?.data;
};

/** Parses path, query, headers and body by the route's schemas; unknown fields are left out. */
export const validate = (readMultipart?: ReadMultipart): Middleware => ({
  before: async ({ event, context }) => {
    const { route } = context;
    context.params = parseParams(route, event);
    context.query = parse(route.query, event.queryStringParameters ?? {}, 'query');
    context.headers = parse(route.headers, event.headers, 'headers');
    context.ifMatch = route.versionOf && parseIfMatch(event.headers['if-match']);
    if (!route.body) return;
    const body = await readers[route.accepts](event, readMultipart);
    context.body = parse(route.body, body, 'body');
  },
});
