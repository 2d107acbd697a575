import type * as z from 'zod';
import {
  describeIssue,
  describeIssues,
  eachFieldOnce,
  toField,
} from '../../input/validation-messages.ts';
import { AppError, type ErrorDetail, invalidField, invalidInput } from '../../runtime/errors.ts';
import { parseIfMatch } from '../etag.ts';
import type { Event, Middleware } from '../http.ts';
import type { Route } from '../route.ts';

/** Parses a part of the request. `also` contains errors found elsewhere. */
const parse = (
  schema: z.ZodType | undefined,
  value: unknown,
  where: string,
  also: readonly ErrorDetail[] = [],
): unknown => {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { reportInput: true, error: describeIssue });
  const details = eachFieldOnce([
    ...(result.error ? describeIssues(result.error.issues, where) : []),
    ...also,
  ]);
  if (!result.success || details.length > 0) throw invalidInput(details);
  return result.data;
};

type Parameters = Readonly<Record<string, string | undefined>>;

/** Rejects unknown list parameters, because a misspelled filter would return the wrong list. */
const unknownParameters = ({ query, readsList }: Route, given: Parameters): ErrorDetail[] => {
  const known = Object.keys(query?.shape ?? {});
  const isList = readsList ? readsList(given) : known.includes('cursor');
  if (!isList) return [];
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: toField([name], 'query'),
      message: `is not a parameter of this list; allowed: ${known.join(', ')}`,
    }));
};

/** Form fields by name. */
export type Form = Readonly<Record<string, unknown>>;

/** Reads multipart forms (`shared/http/multipart.ts`). Groups without file routes do not load it. */
export type ReadMultipart = (contentType: string, bytes: Buffer) => Promise<Form>;

const bodyBytes = ({ body = '', isBase64Encoded }: Event): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

const bodyText = (event: Event): string =>
  event.isBase64Encoded ? bodyBytes(event).toString() : (event.body ?? '');

const parseJson = (text: string): unknown => {
  // An empty body is treated as an empty object, so that the error names the missing fields.
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidField('body', 'must be valid JSON', cause);
  }
};

const readers: Readonly<
  Record<Route['accepts'], (event: Event, readMultipart?: ReadMultipart) => unknown>
> = {
  json: (event) => parseJson(bodyText(event)),
  form: (event) => Object.fromEntries(new URLSearchParams(bodyText(event))),
  multipart: (event, readMultipart) => {
    if (!readMultipart) throw new Error('Missing dependency: readMultipart');
    return readMultipart(event.headers['content-type'] ?? '', bodyBytes(event));
  },
};

/** Parses path parameters. An invalid id cannot exist, so it is a 404. */
const parseParams = (route: Route, event: Event): unknown => {
  const result = route.params?.safeParse(event.pathParameters ?? {});
  if (result && !result.success) throw new AppError('NOT_FOUND', 'Not found.');
  return result?.data;
};

/**
 * Validates path, query, headers and body by the route's schemas. Unknown body fields are ignored; unknown list
 * parameters are an error.
 */
export const validate = (readMultipart?: ReadMultipart): Middleware => ({
  before: async ({ event, context }) => {
    const { route } = context;
    context.params = parseParams(route, event);
    const given = event.queryStringParameters ?? {};
    context.query = parse(route.query, given, 'query', unknownParameters(route, given));
    context.headers = parse(route.headers, event.headers, 'headers');
    context.ifMatch = route.versionOf && parseIfMatch(event.headers['if-match']);
    if (!route.body) return;
    const body = await readers[route.accepts](event, readMultipart);
    context.body = parse(route.body, body, 'body');
  },
});
