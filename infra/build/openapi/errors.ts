import * as z from 'zod';
import type { ZodOpenApiComponentsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { ErrorEnvelope, exampleError } from '../../../shared/http/envelope.ts';
import type { ErrorCase, Route } from '../../../shared/http/route.ts';
import {
  type ErrorCode,
  type ErrorDetail,
  httpStatusByCode,
} from '../../../shared/runtime/errors.ts';
import { changesRecord } from './headers.ts';
import { toPascal } from './names.ts';

interface StandardError {
  readonly when: string;
  /** What the service sends in such a case. */
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: z.ZodObject;
}

const retryAfter = z.object({
  'retry-after': z
    .string()
    .optional()
    .meta({ description: 'Seconds to wait before the next attempt', header: { id: 'RetryAfter' } }),
});

const challenge = z.object({
  'www-authenticate': z
    .string()
    .optional()
    .meta({ description: 'The expected scheme: `Bearer`', header: { id: 'WwwAuthenticate' } }),
});

/** What each code means in general, and an example as the service sends it. */
export const standardErrors: Readonly<Partial<Record<ErrorCode, StandardError>>> = {
  VALIDATION_ERROR: {
    when: 'A parameter or field is invalid, or a list parameter is unknown. `details` names each one.',
    message: 'Invalid page: must be a positive integer.',
    details: [{ field: 'page', message: 'must be a positive integer' }],
  },
  UNAUTHORIZED: {
    when: 'The access token is missing, invalid or expired.',
    message: 'The access token is missing, invalid or expired. Sign in again.',
    headers: challenge,
  },
  FORBIDDEN: {
    when: 'The caller may not do this: the permission in `x-access` or, with an API token, the scope in `x-scope` is missing, an API token is used where `x-access` is `session`, or publishes more than its ceiling, or a request with the session cookie comes from another site. With the code `VERIFICATION_REQUIRED`, the caller must verify the email address first; with `ENROLMENT_REQUIRED`, set up a second factor; with `DELETION_PENDING`, keep the account, which waits to be deleted.',
    message: 'Missing permission: users:view.',
  },
  NOT_FOUND: {
    when: 'Nothing exists at this path, or the caller may not see it.',
    message: 'Not found.',
  },
  NOT_ACCEPTABLE: {
    when: 'The response is too large for a client that accepts no compression.',
    message: 'The response is too large to be sent uncompressed. Send Accept-Encoding: gzip.',
    details: [{ field: 'accept-encoding', message: 'must allow gzip' }],
  },
  CONFLICT: {
    when: 'The first request with this `Idempotency-Key` is still in progress.',
    message: 'A request with this Idempotency-Key is in progress.',
  },
  GONE: {
    when: 'The share has ended or was taken down.',
    message: 'This share has ended.',
  },
  PRECONDITION_FAILED: {
    when: 'The record has another version than `If-Match` names.',
    message: 'The resource was modified. Fetch it and try again.',
    details: [{ field: 'if-match', message: 'must match the current ETag' }],
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The content is too large.',
    message: 'The Markdown is larger than 256 KB.',
    details: [{ field: 'markdown', message: 'must be at most 256 KB (UTF-8)' }],
  },
  UNPROCESSABLE: {
    when: 'The `Idempotency-Key` was used with a different body.',
    message: 'This Idempotency-Key was used with a different body.',
    details: [{ field: 'idempotency-key', message: 'must be new for a different body' }],
  },
  RATE_LIMITED: {
    when: 'Too many requests. Try again after `Retry-After` seconds.',
    message: 'Too many requests. Try again in 2 minutes.',
    headers: retryAfter,
  },
  INTERNAL_ERROR: {
    when: 'An unexpected error occurred.',
    message: 'Internal server error.',
  },
  SERVICE_UNAVAILABLE: {
    when: 'The service is temporarily unavailable. Try again after `Retry-After` seconds.',
    message: 'The service is temporarily unavailable. Try again.',
    headers: retryAfter,
  },
};

/** Whether clients of a route get errors as one line. */
const isText = (produces: Route['produces']): boolean =>
  produces === 'text' || produces === 'source';

const form = ({ errorBody, failurePage, produces }: Route): '' | 'OAuth' | 'Page' | 'Text' => {
  if (errorBody) return errorBody.name;
  if (!failurePage) return '';
  return isText(produces) ? 'Text' : 'Page';
};

const componentName = (code: ErrorCode, route: Route): string => `${toPascal(code)}${form(route)}`;

const errorComponent = (code: ErrorCode, route: Route): ZodOpenApiResponseObject => {
  const error = standardErrors[code];
  if (!error) throw new Error(`The document has no standard text for ${code}`);
  const { when, message, details = [], headers } = error;
  const shared = { description: when, ...(headers && { headers }) };
  if (route.errorBody) {
    return { ...shared, content: { 'application/json': { schema: route.errorBody.schema } } };
  }
  const envelope = exampleError(code, message);
  const example = { ...envelope, error: { ...envelope.error, details: [...details] } };
  const asJson = { 'application/json': { schema: ErrorEnvelope, example } };
  if (!route.failurePage) return { ...shared, content: asJson };
  // Browsers get a page.
  const otherwise = isText(route.produces) ? { 'text/plain': {} } : asJson;
  return { ...shared, content: { ...otherwise, 'text/html': {} } };
};

const toSpan = (ms: number): string => {
  const minutes = ms / 60_000;
  if (minutes < 60) return minutes === 1 ? 'minute' : `${minutes} minutes`;
  return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
};

const describeLimits = ({ limits = [] }: Route): string =>
  limits
    .map(({ name, tokens, perMs }) => `more than ${tokens} per ${toSpan(perMs)} (\`${name}\`)`)
    .join(', or ');

/** The errors that follow from a route's access and schemas; `undefined` stands for the standard text. */
const impliedErrors = (route: Route): Partial<Record<ErrorCode, string | undefined>> => {
  const { access, scope, params, query, headers, body, idempotency, limits = [], method } = route;
  const isGuarded = access !== 'public' && access !== 'optional';
  const canBeForbidden =
    isGuarded &&
    (access !== 'signed-in' || scope !== 'none' || method !== 'GET' || !route.isForUnverified);
  const standard = undefined;
  return {
    ...((query || headers || body || idempotency) && { VALIDATION_ERROR: standard }),
    ...(isGuarded && { UNAUTHORIZED: standard }),
    ...(canBeForbidden && { FORBIDDEN: standard }),
    ...(params && { NOT_FOUND: standard }),
    ...(changesRecord(route) && { PRECONDITION_FAILED: standard }),
    ...(idempotency && { CONFLICT: standard, UNPROCESSABLE: standard }),
    RATE_LIMITED:
      limits.length === 0
        ? standard
        : `Too many requests: ${describeLimits(route)}. Try again after \`Retry-After\` seconds.`,
    INTERNAL_ERROR: standard,
    SERVICE_UNAVAILABLE: standard,
  };
};

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The errors of a route by their codes: what it names itself, and what is implied. An error with two causes names both. */
const getErrors = (route: Route): [ErrorCode, ErrorCase | undefined][] => {
  const implied: Partial<Record<ErrorCode, string | undefined>> = impliedErrors(route);
  const stated: Route['errors'] = route.errors ?? {};
  const codes = new Set([...Object.keys(implied), ...Object.keys(stated)] as ErrorCode[]);
  return [...codes].map((code) => {
    const error = stated[code];
    if (typeof error !== 'string') return [code, error ?? implied[code]];
    const isForTwo = route.idempotency && (code === 'CONFLICT' || code === 'UNPROCESSABLE');
    const other = isForTwo ? ` ${standardErrors[code]?.when}` : '';
    return [code, `${asSentence(error)}${other}`];
  });
};

/** Returns the error responses of a route: references to the common ones, with what is particular to the route. */
export const errorResponses = (route: Route) =>
  Object.fromEntries(
    getErrors(route).map(([code, error]) => {
      const status = String(httpStatusByCode[code]);
      if (typeof error === 'object') {
        const { when, body } = error;
        const content = { 'application/json': { schema: body } };
        return [status, { description: asSentence(when), content }];
      }
      const $ref = `#/components/responses/${componentName(code, route)}`;
      return [status, { $ref, ...(error !== undefined && { description: error }) }];
    }),
  );

/** Returns the error responses that routes refer to, by name. */
export const errorComponents = (
  routes: readonly Route[],
): NonNullable<ZodOpenApiComponentsObject['responses']> =>
  Object.fromEntries(
    routes
      .flatMap((route) =>
        getErrors(route)
          .filter(([, error]) => typeof error !== 'object')
          .map(([code]) => [componentName(code, route), errorComponent(code, route)] as const),
      )
      .sort(([one], [other]) => one.localeCompare(other)),
  );
