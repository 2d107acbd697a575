import type * as z from 'zod';
import { $ZodAsyncError } from 'zod/v4/core';
import {
  describeIssue,
  describeIssues,
  eachFieldOnce,
  toField,
} from '../../input/validation-messages.ts';
import { AppError, type ErrorDetail, invalidField, invalidInput } from '../../runtime/errors.ts';
import { parseIfMatch } from '../content/etag.ts';
import type { Event, Middleware, RequestContext } from '../http.ts';
import type { Form, FormLimits, Route } from '../route.ts';

const parseOptions = { reportInput: true, error: describeIssue };

/** Parses a part of the request. `also` contains errors found elsewhere. */
const parse = (
  schema: z.ZodType | undefined,
  value: unknown,
  where: string,
  also: readonly ErrorDetail[] = [],
): unknown => schema && getParsed(schema.safeParse(value, parseOptions), where, also);

/** Parses as `parse` does, also with a schema that has to wait, as that of a new password has. */
const parseInTime = async (schema: z.ZodType, value: unknown, where: string): Promise<unknown> => {
  try {
    return parse(schema, value, where);
  } catch (error) {
    if (!(error instanceof $ZodAsyncError)) throw error;
    return getParsed(await schema.safeParseAsync(value, parseOptions), where);
  }
};

/**
 * Returns the result of a schema.
 * @throws AppError VALIDATION_ERROR with its errors, and `also` with errors found elsewhere
 */
const getParsed = (
  result: z.ZodSafeParseResult<unknown>,
  where: string,
  also: readonly ErrorDetail[] = [],
): unknown => {
  if (result.success && also.length === 0) return result.data;
  const details = eachFieldOnce([
    ...(result.error ? describeIssues(result.error.issues, where) : []),
    ...also,
  ]);
  throw invalidInput(details);
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

/** Reads multipart forms (`shared/http/multipart.ts`). Groups without file routes do not load it. */
export type ReadMultipart = (
  contentType: string,
  bytes: Buffer,
  limits?: FormLimits,
) => Promise<Form>;

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
  Record<
    Route['accepts'],
    (event: Event, readMultipart?: ReadMultipart, limits?: FormLimits) => unknown
  >
> = {
  json: (event) => parseJson(bodyText(event)),
  form: (event) => Object.fromEntries(new URLSearchParams(bodyText(event))),
  multipart: (event, readMultipart, limits) => {
    if (!readMultipart) throw new Error('Missing dependency: readMultipart');
    return readMultipart(event.headers['content-type'] ?? '', bodyBytes(event), limits);
  },
};

/**
 * Refuses a text whose bytes aren't UTF-8. API Gateway passes bodies of text types as text, with a replacement character for each
 * such byte, so that only the length tells.
 * https://aws.amazon.com/blogs/compute/handling-binary-data-using-amazon-api-gateway-http-apis/
 */
const assertUtf8 = ({ body = '', isBase64Encoded, headers }: Event, takesFiles: boolean): void => {
  const { 'content-length': length } = headers;
  if (isBase64Encoded || length === undefined || !body.includes('\uFFFD')) return;
  if (Buffer.byteLength(body) === Number(length)) return;
  const others = takesFiles ? '; send text in another encoding as the file of a form' : '';
  throw invalidField('body', `must be text in UTF-8${others}`);
};

const mediaTypeOf = ({ headers }: Event): string =>
  (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();

const charsetOf = ({ headers }: Event): string | undefined =>
  /;\s*charset=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];

const readBody = async (
  event: Event,
  context: RequestContext,
  readMultipart: ReadMultipart | undefined,
): Promise<unknown> => {
  const { accepts, formLimits, otherBodies = {} } = context.route;
  assertUtf8(event, 'multipart/form-data' in otherBodies);
  const mediaType = mediaTypeOf(event);
  const other = Object.hasOwn(otherBodies, mediaType) ? otherBodies[mediaType] : undefined;
  if (!other) return readers[accepts](event, readMultipart, formLimits);
  const isForm = mediaType === 'multipart/form-data';
  const { fields, readAs } = other.read(
    isForm
      ? ((await readers.multipart(event, readMultipart, other.formLimits)) as Form)
      : bodyBytes(event),
    { charset: charsetOf(event), query: context.query },
  );
  context.readAs = readAs;
  return fields;
};

/** Adds to the fields of a body what the request says elsewhere. Anything else than fields is left for the error. */
const completeBody = (route: Route, body: unknown, context: RequestContext): unknown =>
  route.completeBody && typeof body === 'object' && body !== null && !Array.isArray(body)
    ? route.completeBody(body as Form, context)
    : body;

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
    const body = await readBody(event, context, readMultipart);
    context.body = await parseInTime(route.body, completeBody(route, body, context), 'body');
  },
});
