import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { newChange } from '../audit/audit-log.ts';
import { isFromOtherSite } from '../auth/session-cookie.ts';
import type { Write } from '../db/transaction.ts';
import { log } from '../runtime/telemetry.ts';
import { etagOf, isKnown } from './etag.ts';
import {
  type CallContext,
  commonHeaders,
  contentTypes,
  type Event,
  type Result,
  requestId,
} from './http.ts';
import { type Memory, readRepeatable } from './idempotency/idempotency-key.ts';
import { type Authenticate, identify } from './middleware/authenticate.ts';
import { authorize } from './middleware/authorize.ts';
import { errorEnvelope } from './middleware/error-handler.ts';
import { matchRoute } from './middleware/match-route.ts';
import { publishMetrics } from './middleware/publish-metrics.ts';
import { type Limiter, rateLimit } from './middleware/rate-limit.ts';
import { emptyHead } from './middleware/strip-head-body.ts';
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
  context: CallContext,
  request: RouteRequest,
): Promise<Reply<unknown>> => {
  const output = await context.route.handle(request);
  return output instanceof Reply ? output : new Reply(output);
};

/** Has the handler do its work, only once where the request names itself by a key. */
const replyTo = async (
  event: Event,
  context: CallContext & Context,
  { newChange, repeats }: Foundations,
): Promise<Reply<unknown>> => {
  const { route, actor, params, query, headers, body, caller, isHead, ifMatch } = context;
  const { audit = 'none' } = route;
  if (audit !== 'none' && !newChange) throw new Error('A group that is audited notes no changes');
  const origin = { address: caller.address, requestId: requestId(event) };
  const requestWith = (marker?: (subject: string) => Write) => {
    const change = newChange?.(audit, actor, origin, marker);
    return { actor, params, query, headers, body, caller, isHead, ifMatch, change } as RouteRequest;
  };
  const repeatable = readRepeatable(event, context);
  if (!repeatable) return callHandler(context, requestWith());
  if (!repeats) throw new Error('A group whose requests may repeat has no memory');
  return repeats.replyOnce(repeatable, context, {
    make: (marker) => callHandler(context, requestWith(marker)),
    recall: async (subject) => route.repeats?.recall(requestWith(), subject),
  });
};

const answer = (event: Event, context: CallContext, reply: Reply<unknown>): Result => {
  const { route } = context;
  // The schema strips whatever the document doesn't name: keys, hashes, secrets.
  const shown = route.output.parse(reply.body);
  const content = toBody(shown, route);
  const version = route.versionOf?.(shown, context.query);
  const etag = version === undefined ? undefined : etagOf(version, content.body ?? '');
  const isUnchanged =
    etag && route.method === 'GET' && isKnown(event.headers['if-none-match'], etag);
  const headers = {
    ...commonHeaders(event),
    ...context.answerHeaders,
    ...(etag && { etag }),
    ...(!isUnchanged && { 'content-type': contentTypes[route.produces] }),
    ...reply.headers,
  };
  if (isUnchanged) return { statusCode: 304, headers };
  return {
    statusCode: reply.status ?? route.status,
    headers,
    // Else the form of another site could sign a browser in as somebody else.
    ...(reply.cookies.length > 0 && !isFromOtherSite(event) && { cookies: [...reply.cookies] }),
    ...content,
  };
};

/** What a group's routes rest on; each is in the bundle of those groups only that have a use for it. */
export interface Foundations {
  /** For routes that ask who calls. */
  readonly authenticate?: Authenticate;
  /** For routes that the audit tells of. */
  readonly newChange?: typeof newChange;
  /** For routes with limits. */
  readonly limiter?: Limiter;
  /** For routes that answer an `Idempotency-Key`. */
  readonly repeats?: Memory;
  /** For routes that take a file. */
  readonly readMultipart?: ReadMultipart;
}

const nobody: Authenticate = () => {
  throw new Error('A group of public routes has one that is not public');
};

/** The order of the middleware is the order of the checks: 404, then 401, then 403, then 400, then 429. */
const build = (routes: readonly Route[], foundations: Foundations): Handler =>
  middy<Event, Result, Error, CallContext>(async (event: Event, context: CallContext) =>
    answer(event, context, await replyTo(event, context, foundations)),
  )
    .use(injectLambdaContext(log()))
    .use(publishMetrics())
    .use(emptyHead())
    .use(errorEnvelope())
    .use(matchRoute(routes))
    .use(identify(foundations.authenticate ?? nobody))
    .use(authorize())
    .use(validate(foundations.readMultipart))
    .use(rateLimit(foundations.limiter)) as unknown as Handler; // middy asks the caller for what the middleware adds

/** The Lambda handler of one group of routes. Nothing happens before its first event. */
export const createHandler = (routes: readonly Route[], foundations: Foundations = {}): Handler => {
  let handler: Handler | undefined;
  return (event, context) => {
    handler ??= build(routes, foundations);
    return handler(event, context);
  };
};
