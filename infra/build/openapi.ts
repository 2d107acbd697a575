import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { hosts } from '../../functions/routes.ts';
import { ErrorEnvelope, exampleError } from '../../shared/http/envelope.ts';
import { contentTypes } from '../../shared/http/http.ts';
import type { ErrorCase, Route } from '../../shared/http/route.ts';
import { type ErrorCode, statusOf } from '../../shared/runtime/errors.ts';

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { version: string };

const tags: Readonly<Record<keyof typeof hosts.service, string>> = {
  auth: 'Registering, signing in, tokens and sessions',
  users: 'Accounts',
  audit: 'Who changed what',
  documents: 'Documents, for oneself, for some or for everyone',
  files: 'Files: through the API or straight to S3',
  messages: 'Messages between users',
  notifications: 'What one ought to know of',
  calendar: 'Events, tasks and reminders, with a feed for calendar apps',
  sales: 'Sales, as the dashboard counts them',
  dashboard: 'Numbers of the whole service, and what is on for oneself',
  share: 'Snippets that are shared as pages',
  markdown: 'Markdown to HTML',
  checkin: 'The daily check-in',
  composer: "Pages to write, and to look after one's own shares",
  pages: 'Pages for people',
  account: "Pages of one's own account",
  assets: 'Styles and scripts of the pages',
  docs: 'This document',
  health: 'Is the service up?',
};

/** `POST /api/auth/login` as `postAuthLogin`: the name of the operation in a generated client. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  path
    .split('/')
    .filter((segment) => segment !== '' && !(segment === 'api' && path.startsWith('/api/')))
    .map((segment) =>
      segment.replace(/[{}]/g, '').replace(/\W+(\w)?/g, (_, c = '') => c.toUpperCase()),
    )
    .map((segment) => segment.charAt(0).toUpperCase() + segment.slice(1))
    .join('') +
  (path.startsWith('/api/') ? '' : 'Page');

const whyForbidden = ({ access, method }: Route): string | undefined => {
  const reasons = [
    ...(access.includes(':') ? [`the permission ${access} is missing`] : []),
    ...(access === 'session' ? ['an API token asks'] : []),
    ...(method === 'GET' ? [] : ['the session cookie is used from another site']),
  ];
  const text = reasons.join(', or ');
  return text === '' ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
};

const span = (ms: number): string =>
  ms >= 3_600_000 ? `${ms / 3_600_000} h` : `${ms / 60_000} min`;

const whyLimited = ({ limits = [] }: Route): string =>
  limits.length === 0
    ? 'More requests than the service takes'
    : `More than ${limits.map(({ name, tokens, perMs }) => `${tokens} in ${span(perMs)} (${name})`).join(' or ')}`;

/** Does it change a record that the client may have read before? What makes one sends its tag only. */
const changesRecord = ({ method, status, versionOf }: Route): boolean =>
  versionOf !== undefined && method !== 'GET' && status !== 201;

/** The failures that follow from a route's access and schemas; what the route itself names comes on top. */
const impliedErrors = (route: Route) => {
  const { access, params, query, headers, body, repeats } = route;
  const isList = route.readsList !== undefined || query?.shape['cursor'] !== undefined;
  const isGuarded = access !== 'public' && access !== 'optional';
  const mayBeOutdated = changesRecord(route);
  const forbidden = isGuarded ? whyForbidden(route) : undefined;
  return {
    ...((query || headers || body || repeats) && {
      VALIDATION_ERROR: `A parameter or a field is wrong${isList ? ', or a parameter is unknown' : ''}: \`details\` names it`,
    }),
    ...(isGuarded && { UNAUTHORIZED: 'The access token is missing, wrong or has expired' }),
    ...(forbidden && { FORBIDDEN: forbidden }),
    ...(params && { NOT_FOUND: 'There is nothing at this address, or it is not for the caller' }),
    ...(mayBeOutdated && { PRECONDITION_FAILED: 'It is of another version than `If-Match` names' }),
    ...(repeats && {
      CONFLICT: 'The first request with this `Idempotency-Key` is still running',
      UNPROCESSABLE: 'The `Idempotency-Key` came with another body before',
    }),
    RATE_LIMITED: `${whyLimited(route)}: try again after \`Retry-After\` seconds`,
    INTERNAL_ERROR: 'Something went wrong on our side',
    SERVICE_UNAVAILABLE: 'Busy or away for a moment: try again after `Retry-After` seconds',
  } satisfies Partial<Record<ErrorCode, string>>;
};

const errorResponse = (
  code: ErrorCode,
  error: ErrorCase,
  { failurePage, produces }: Route,
): ZodOpenApiResponseObject => {
  const { when, body } = typeof error === 'string' ? { when: error, body: undefined } : error;
  if (failurePage) {
    const asText = produces === 'text' ? { 'text/plain': {} } : {};
    return { description: when, content: { ...asText, 'text/html': {} } };
  }
  return {
    description: `${code}: ${when}`,
    content: {
      'application/json': body
        ? { schema: body }
        : { schema: ErrorEnvelope, example: exampleError(code, when) },
    },
  };
};

/** The failures of a route's own on top of those that are implied; what may happen for two reasons names both. */
const errorsOf = (route: Route): [ErrorCode, ErrorCase][] => {
  const implied: Partial<Record<ErrorCode, string>> = impliedErrors(route);
  const own: Route['errors'] = route.errors ?? {};
  const codes = new Set([...Object.keys(implied), ...Object.keys(own)] as ErrorCode[]);
  return [...codes].map((code) => {
    const [why, error] = [implied[code], own[code]];
    const isForTwo = code === 'CONFLICT' || code === 'UNPROCESSABLE';
    if (typeof error === 'string' && why && isForTwo) return [code, `${error}. Or: ${why}`];
    return [code, error ?? why ?? ''];
  });
};

const etag = z.string().meta({
  description: 'The version of the record, for `If-Match`, and of this answer, for `If-None-Match`',
  examples: ['"1-Xf3k_9aQ"'],
});
const replayed = z
  .literal('true')
  .optional()
  .meta({ description: 'Where the first answer to this `Idempotency-Key` is sent again' });

const responses = (route: Route): ZodOpenApiOperationObject['responses'] => {
  const { method, versionOf, repeats, status, produces } = route;
  const failures = errorsOf(route).map(([code, error]) => [
    String(statusOf[code]),
    errorResponse(code, error, route),
  ]);
  const mediaType = contentTypes[produces].split(';')[0] ?? '';
  const isTagged = versionOf !== undefined && method !== 'DELETE';
  const headers = {
    ...(isTagged && { etag }),
    ...(repeats && { 'idempotency-replayed': replayed }),
    ...(status === 302 && { location: z.url().meta({ description: 'The address to go to' }) }),
  };
  const success: ZodOpenApiResponseObject =
    status === 303
      ? { description: 'Done: go to the address in `Location`' }
      : {
          description: status === 302 ? 'Go to the address in `Location`' : 'Success',
          ...(Object.keys(headers).length > 0 && { headers: z.object(headers) }),
          content: { [mediaType]: produces === 'json' ? { schema: route.output } : {} },
        };
  const notModified: ZodOpenApiResponseObject = {
    description: 'As `If-None-Match` says, the caller has it already',
    headers: z.object({ etag }),
  };
  return {
    [String(status)]: success,
    ...((isTagged || route.headers?.shape['if-none-match']) &&
      method === 'GET' && { '304': notModified }),
    ...Object.fromEntries(failures),
  };
};

const header = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

/** The request headers that a route understands: those that it names, and those of what it promises. */
const requestHeaders = (route: Route): z.ZodObject | undefined => {
  const { method, headers, versionOf, repeats } = route;
  const promised = {
    ...(versionOf &&
      method === 'GET' && {
        'if-none-match': header(
          'The `ETag` that the caller has: 304 if it is the same',
          '"1-Xf3k_9aQ"',
        ),
      }),
    ...(changesRecord(route) && {
      'if-match': header(
        'The `ETag` that was read: 412 if the record has changed since',
        '"1-Xf3k_9aQ"',
      ),
    }),
    ...(repeats && {
      'idempotency-key': header(
        'Names this request, of 1 to 255 visible ASCII characters: the same key and body get the same answer for 24 hours',
        '6d2a6c1e-3f6b-4f0e-9a52-0a3c5e1d7b94',
      ),
    }),
  };
  if (Object.keys(promised).length === 0) return headers;
  return (headers ?? z.object({})).extend(promised);
};

const bodyTypes: Readonly<Record<Route['accepts'], string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

const operation = (group: string, route: Route): ZodOpenApiOperationObject => {
  const { access, summary, params, query, body, accepts, audit } = route;
  const headers = requestHeaders(route);
  const signedIn = [{ bearer: [] }, { cookie: [] }];
  const security = { public: [], optional: [{}, ...signedIn] }[access as string] ?? signedIn;
  return {
    operationId: operationId(route),
    tags: [group],
    summary,
    security,
    'x-access': access,
    ...(audit !== undefined && audit !== 'none' && { 'x-audit': audit }),
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(headers && { header: headers }),
    },
    ...(body && { requestBody: { content: { [bodyTypes[accepts]]: { schema: body } } } }),
    responses: responses(route),
  };
};

/** zod leaves out the examples of an input that a transformation is part of; those here are of what is sent. */
const withExamples: CreateDocumentOptions['override'] = ({ zodSchema, jsonSchema, io }) => {
  const { examples } = z.globalRegistry.get(zodSchema as unknown as z.ZodType) ?? {};
  if (io === 'input' && Array.isArray(examples)) jsonSchema.examples = examples;
};

/** The service's API as an OpenAPI 3.1 document, an operation for each route. */
export const openApi = () => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [group, routes] of Object.entries(hosts.service)) {
    for (const route of routes) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operation(group, route),
      };
    }
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Handbill',
        version,
        description:
          'Snippet share pages and an admin backend. Every answer carries `X-Request-Id`; HEAD is answered wherever GET is. `x-access` says who may call: anyone (`public`), anyone with or without a token (`optional`), any user (`signed-in`), any user but not by an API token (`session`), or the holder of a permission; `x-audit`, where something is changed, what the audit calls it.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token, or an API token such as hb_…',
          },
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-session',
            description:
              'Set at login. What changes something must come from this site, its body be application/json.',
          },
        },
      },
      paths: paths as ZodOpenApiPathsObject,
    },
    { override: withExamples },
  );
};
