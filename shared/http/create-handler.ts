import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { createAuditRecorder } from '../audit/audit-log.ts';
import { isCrossSite } from '../auth/session-cookie.ts';
import type { Write } from '../db/transaction.ts';
import { getLogger } from '../runtime/telemetry.ts';
import { createEtag, matchesIfNoneMatch } from './etag.ts';
import {
  commonHeaders,
  contentTypes,
  type Event,
  type RequestContext,
  type Result,
  requestId,
} from './http.ts';
import { type IdempotencyStore, parseIdempotencyKey } from './idempotency/idempotency-key.ts';
import { type Authenticator, authenticate } from './middleware/authenticate.ts';
import { authorize } from './middleware/authorize.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { matchRoute } from './middleware/match-route.ts';
import { publishMetrics } from './middleware/publish-metrics.ts';
import { type RateLimiter, rateLimit } from './middleware/rate-limit.ts';
import { stripHeadBody } from './middleware/strip-head-body.ts';
import { type ReadMultipart, validate } from './middleware/validate.ts';
import { Reply } from './reply.ts';
import type { Route, RouteRequest } from './route.ts';

/** A Lambda function behind an HTTP API with payload format 2.0. */
export type Handler = (event: Event, context: Context) => Promise<Result>;

const toBody = (shown: unknown, { produces }: Route): Pick<Result, 'body' | 'isBase64Encoded'> => {
  if (shown instanceof Uint8Array) {
    return { body: Buffer.from(shown).toString('base64'), isBase64Encoded: true };
  }
  return { body: produces === 'json' ? JSON.stringify(shown) : String(shown) };
};

const callHandler = async (
  context: RequestContext,
  request: RouteRequest,
): Promise<Reply<unknown>> => {
  const output = await context.route.handle(request);
  return output instanceof Reply ? output : new Reply(output);
};

/** Has the handler do its work, only once where the request names itself by a key. */
const handleRequest = async (
  event: Event,
  context: RequestContext & Context,
  { createAuditRecorder, idempotency }: HandlerDependencies,
): Promise<Reply<unknown>> => {
  const { route, actor, params, query, headers, body, client, isHead, ifMatch } = context;
  const { auditAction = 'none' } = route;
  if (auditAction !== 'none' && !createAuditRecorder)
    throw new Error('A group that is audited notes no changes');
  const origin = { address: client.ip, requestId: requestId(event) };
  const requestWith = (marker?: (subject: string) => Write) => {
    const audit = createAuditRecorder?.(auditAction, actor, origin, marker);
    return { actor, params, query, headers, body, client, isHead, ifMatch, audit } as RouteRequest;
  };
  const repeatable = parseIdempotencyKey(event, context);
  if (!repeatable) return callHandler(context, requestWith());
  if (!idempotency) throw new Error('A group whose requests may repeat has no memory');
  return idempotency.replyIdempotently(repeatable, context, {
    make: (marker) => callHandler(context, requestWith(marker)),
    recall: async (subject) => route.idempotency?.replay(requestWith(), subject),
  });
};

const answer = (event: Event, context: RequestContext, reply: Reply<unknown>): Result => {
  const { route } = context;
  // The schema strips whatever the document doesn't name: keys, hashes, secrets.
  const shown = route.output.parse(reply.body);
  const content = toBody(shown, route);
  const version = route.versionOf?.(shown, context.query);
  const etag = version === undefined ? undefined : createEtag(version, content.body ?? '');
  const isUnchanged =
    etag && route.method === 'GET' && matchesIfNoneMatch(event.headers['if-none-match'], etag);
  const headers = {
    ...commonHeaders(event),
    ...context.responseHeaders,
    ...(etag && { etag }),
    ...(!isUnchanged && { 'content-type': contentTypes[route.produces] }),
    ...reply.headers,
  };
  if (isUnchanged) return { statusCode: 304, headers };
  return {
    statusCode: reply.status ?? route.status,
    headers,
    // Else the form of another site could sign a browser in as somebody else.
    ...(reply.cookies.length > 0 && !isCrossSite(event) && { cookies: [...reply.cookies] }),
    ...content,
  };
};

/** What a group's routes rest on; each is in the bundle of those groups only that have a use for it. */
export interface HandlerDependencies {
  /** For routes that ask who calls. */
  readonly authenticate?: Authenticator;
  /** For routes that the audit tells of. */
  readonly createAuditRecorder?: typeof createAuditRecorder;
  /** For routes with limits. */
  readonly limiter?: RateLimiter;
  /** For routes that answer an `Idempotency-Key`. */
  readonly idempotency?: IdempotencyStore;
  /** For routes that take a file. */
  readonly readMultipart?: ReadMultipart;
}

const nobody: Authenticator = () => {
  throw new Error('A group of public routes has one that is not public');
};

/** The order of the middleware is the order of the checks: 404, then 401, then 403, then 400, then 429. */
const build = (routes: readonly Route[], dependencies: HandlerDependencies): Handler =>
  middy<Event, Result, Error, RequestContext>(async (event: Event, context: RequestContext) =>
    answer(event, context, await handleRequest(event, context, dependencies)),
  )
    .use(injectLambdaContext(getLogger()))
    .use(publishMetrics())
    .use(stripHeadBody())
    .use(errorHandler())
    .use(matchRoute(routes))
    .use(authenticate(dependencies.authenticate ?? nobody))
    .use(authorize())
    .use(validate(dependencies.readMultipart))
    .use(rateLimit(dependencies.limiter)) as unknown as Handler; // middy asks the caller for what the middleware adds

/** The Lambda handler of one group of routes. Nothing happens before its first event. */
export const createHandler = (
  routes: readonly Route[],
  dependencies: HandlerDependencies = {},
): Handler => {
  let handler: Handler | undefined;
  return (event, context) => {
    handler ??= build(routes, dependencies);
    return handler(event, context);
  };
};
