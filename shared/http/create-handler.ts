import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { CreateMarker, createChangeRecorder } from '../audit/audit-log.ts';
import type { Authenticator } from '../auth/actor.ts';
import { isCrossSite } from '../auth/session-cookie.ts';
import { answerMs, outOfTime, runWithin } from '../runtime/time-left.ts';
import { prefersText } from './content/accept.ts';
import { assertSendable, compress, fitsAsText } from './content/compression.ts';
import { createEtag, matchesIfNoneMatch } from './content/etag.ts';
import {
  commonHeaders,
  contentTypes,
  type Event,
  type RequestContext,
  type Result,
  requestId,
} from './http.ts';
import { type IdempotencyStore, parseIdempotencyKey } from './idempotency/idempotency-key.ts';
import { meter } from './meter.ts';
import { acceptEdge } from './middleware/accept-edge.ts';
import { authenticate } from './middleware/authenticate.ts';
import { authorize } from './middleware/authorize.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { createEventRouter, matchRoute } from './middleware/match-route.ts';
import { publishMetrics } from './middleware/publish-metrics.ts';
import { type RateLimiter, rateLimit } from './middleware/rate-limit.ts';
import { stripHeadBody } from './middleware/strip-head-body.ts';
import { type ReadMultipart, validate } from './middleware/validate.ts';
import { Reply } from './reply.ts';
import type { Route, RouteRequest } from './route.ts';

/** A Lambda function behind an HTTP API with payload format 2.0. */
export type Handler = (event: Event, context: Context) => Promise<Result>;

/** The Lambda function of a route group. */
export interface GroupHandler extends Handler {
  /** Returns the endpoint of an event, such as `GET /api/users/{id}`, or undefined: then the fallback answers. */
  endpointOf(event: Event): string | undefined;
}

/** The length from which JSON is compressed, in UTF-16 code units. What else is large is compressed by its route. */
const largeJsonLength = 1024 * 1024;

const encodeBytes = (bytes: Uint8Array): Pick<Result, 'body' | 'isBase64Encoded'> => ({
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
});

/**
 * Encodes a body so that Lambda takes it.
 * @throws AppError NOT_ACCEPTABLE for a large one, if the client accepts no compression
 */
const encodeBody = async (
  body: string | Uint8Array,
  { produces }: Route,
  accepted: string | undefined,
): Promise<Pick<Result, 'body' | 'isBase64Encoded' | 'headers'>> => {
  if (typeof body !== 'string') return encodeBytes(body);
  const isLarge = produces === 'json' && body.length >= largeJsonLength;
  const compressed = isLarge ? await compress(body, accepted) : undefined;
  if (compressed) {
    const { bytes, encoding } = compressed;
    const headers = { vary: 'accept-encoding', 'content-encoding': encoding };
    return { ...encodeBytes(bytes), headers };
  }
  assertSendable(Buffer.byteLength(body), undefined);
  return fitsAsText(body) ? { body } : encodeBytes(Buffer.from(body));
};

const toBody = (output: unknown, { produces }: Route): string | Uint8Array => {
  if (output instanceof Uint8Array) return output;
  return produces === 'json' ? JSON.stringify(output) : String(output);
};

const callRoute = async (
  { route }: RequestContext,
  request: RouteRequest,
): Promise<Reply<unknown>> => {
  const output = await route.handle(request);
  return output instanceof Reply ? output : new Reply(output);
};

/** Calls the route, at most once per `Idempotency-Key` if the request has one. */
const handleRequest = async (
  event: Event,
  context: RequestContext & Context,
  { createChangeRecorder, idempotency }: HandlerDependencies,
): Promise<Reply<unknown>> => {
  const { route, actor, params, query, headers, body, client, isHead, ifMatch, readAs } = context;
  const { auditAction = 'none' } = route;
  if (auditAction !== 'none' && !createChangeRecorder) {
    throw new Error('Missing dependency: createChangeRecorder');
  }
  const origin = { address: client.ip, requestId: requestId(event) };
  const createRequest = (createMarker?: CreateMarker) => {
    const recorder = createChangeRecorder?.(auditAction, actor, origin, createMarker);
    return {
      actor,
      params,
      query,
      headers,
      readAs,
      body,
      client,
      target: event.rawQueryString ? `${event.rawPath}?${event.rawQueryString}` : event.rawPath,
      cookies: context.cookies,
      isHead,
      ifMatch,
      signedOut: context.signedOut,
      isCrossSite: isCrossSite(event),
      overLimit: context.overLimit,
      recorder,
      ahead: context.ahead,
      invocation: { event, context },
    } as RouteRequest;
  };
  const idempotent = parseIdempotencyKey(event, context);
  if (!idempotent) return callRoute(context, createRequest());
  if (!idempotency) throw new Error('Missing dependency: idempotency');
  return idempotency.replyIdempotently(idempotent, context, {
    run: (createMarker) => callRoute(context, createRequest(createMarker)),
    replay: async (subject) => route.idempotency?.replay(createRequest(), subject),
  });
};

const createResponse = async (
  event: Event,
  context: RequestContext,
  reply: Reply<unknown>,
): Promise<Result> => {
  const { route } = context;
  const { headers: asked } = event;
  // The schema strips undeclared fields, such as keys, hashes and secrets.
  const output = route.output.parse(reply.body);
  if (output === undefined) {
    const headers = { ...commonHeaders(event), ...context.responseHeaders, ...reply.headers };
    return { statusCode: reply.status ?? route.status, headers };
  }
  const toText = route.toText && prefersText(asked['accept']) ? route.toText : undefined;
  const body = toText ? toText(output) : toBody(output, route);
  const version = route.versionOf?.(output, context.query);
  const isVersioned = version !== undefined && typeof body === 'string';
  const etag = isVersioned ? createEtag(version, body) : undefined;
  const isUnchanged =
    etag && route.method === 'GET' && matchesIfNoneMatch(asked['if-none-match'], etag);
  const { headers: ofEncoding, ...content } = isUnchanged
    ? {}
    : await encodeBody(body, route, asked['accept-encoding']);
  const headers = {
    ...commonHeaders(event),
    ...context.responseHeaders,
    ...(etag && { etag }),
    ...(!isUnchanged && { 'content-type': contentTypes[toText ? 'text' : route.produces] }),
    ...ofEncoding,
    ...reply.headers,
  };
  if (isUnchanged) return { statusCode: 304, headers };
  // A form on another site must not sign the browser in as someone else.
  const setsCookies = route.setsCookiesAcrossSites || !isCrossSite(event);
  return {
    statusCode: reply.status ?? route.status,
    headers,
    ...(reply.cookies.length > 0 && setsCookies && { cookies: [...reply.cookies] }),
    // Without a body, HEAD has no Content-Length.
    ...(!(context.isHead && reply.hidesLength) && content),
  };
};

/** Optional dependencies of a route group. Pass only what the group uses, to keep its bundle small. */
export interface HandlerDependencies {
  /** For routes that are not public. */
  readonly authenticate?: Authenticator;
  /** For routes with an `auditAction`. */
  readonly createChangeRecorder?: typeof createChangeRecorder;
  /** For routes with limits. */
  readonly limiter?: RateLimiter;
  /** For routes that support `Idempotency-Key`. */
  readonly idempotency?: IdempotencyStore;
  /** For routes that accept a file. */
  readonly readMultipart?: ReadMultipart;
  /** Another handler of this process calls it, which has accepted the request. */
  readonly isInner?: true;
}

const missingAuthenticator: Authenticator = () => {
  throw new Error('Missing dependency: authenticate');
};

/**
 * Creates the Lambda handler of a route group. The order of its middleware determines which error wins: requests past the CDN,
 * 404, 401, 403, 400, then 429.
 */
export const createHandler = (
  routes: readonly Route[],
  dependencies: HandlerDependencies = {},
): GroupHandler => {
  const find = createEventRouter(routes);
  const handler = middy<Event, Result, Error, RequestContext>(
    async (event: Event, context: RequestContext) =>
      createResponse(event, context, await handleRequest(event, context, dependencies)),
    {
      timeoutEarlyInMillis: answerMs,
      timeoutEarlyResponse: () => {
        throw outOfTime();
      },
    },
  )
    .use(publishMetrics())
    .use(stripHeadBody())
    .use(errorHandler())
    .use(dependencies.isInner ? [] : [acceptEdge()])
    .use(matchRoute(find))
    .use(authenticate(dependencies.authenticate ?? missingAuthenticator))
    .use(authorize())
    .use(validate(dependencies.readMultipart))
    .use(rateLimit(dependencies.limiter)) as unknown as Handler; // The middleware completes the context.
  const metered = meter(handler, ({ routeKey }) => routeKey.replace(/^HEAD /, 'GET '));
  const endpointOf = (event: Event): string | undefined => {
    const found = find(event);
    return found && `${event.requestContext.http.method} ${found.value.path}`;
  };
  return Object.assign<Handler, Pick<GroupHandler, 'endpointOf'>>(
    (event, context) => runWithin(context, () => metered(event, context)),
    { endpointOf },
  );
};
