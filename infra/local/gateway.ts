import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createChangeRecorder } from '../../shared/audit/audit-log.ts';
import { authenticate } from '../../shared/auth/actor.ts';
import {
  createHandler,
  type Handler,
  type HandlerDependencies,
} from '../../shared/http/create-handler.ts';
import { createFallback, listEndpoints } from '../../shared/http/fallback.ts';
import type { Result } from '../../shared/http/http.ts';
import * as idempotency from '../../shared/http/idempotency/idempotency.ts';
import { readMultipart } from '../../shared/http/multipart.ts';
import * as limiter from '../../shared/http/rate-limit.ts';
import type { FailurePage } from '../../shared/http/route.ts';
import { createRouteFinder } from '../../shared/http/route-table.ts';
import { createTurns, type Turns } from '../../shared/runtime/turns.ts';
import {
  createKeyFinder,
  createRouteKeys,
  defaultKey,
  type KeyedGroup,
} from '../functions/route-keys.ts';
import { createLocalServer } from './aws/host/local-server.ts';
import { readBody } from './aws/host/read-body.ts';
import { corsHeaders, isForeignPage, preflight } from './cors.ts';
import { toEvent } from './event.ts';
import { lambdaContext } from './lambda-context.ts';

/** AWS's limits. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const limits = {
  requestBytes: 10 * 1024 * 1024,
  /** Of an event or a response, as JSON: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  invocationBytes: 6 * 1024 * 1024,
  headerBytes: 10_240,
  responseMs: 30_000,
} as const;

/**
 * The maximum concurrent events of a group. Lambda runs each in a separate process; here more would only delay each other
 * until they time out.
 */
const concurrency = 25;
/** Longer than clients keep connections, so that none is closed while a request is in flight. */
const keepAliveMs = 60_000;

/** A handler, with its limit of concurrent events. */
interface Group {
  readonly handler: Handler;
  readonly turns: Turns;
}

/** An entry of the access log. The path has no query string and no token, because they may contain secrets. */
export interface AccessLogEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

/** What opens something, in a path: a token of a calendar feed or of files, or the key of a sealed share whose `#` was encoded on its way. */
const linkToken = /#.*|\b\d{1,16}\.[\w-]{43}(?![\w-])|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

const dependencies: HandlerDependencies = {
  authenticate,
  createChangeRecorder,
  limiter,
  idempotency,
  readMultipart,
};

const createGroup = (handler: Handler): Group => ({ handler, turns: createTurns(concurrency) });

/** Creates a function that finds the key of a request, as the deployed API does, then who answers and with which route. */
const createRouter = (groups: readonly KeyedGroup[], fallback: Group) => {
  const findKey = createKeyFinder(createRouteKeys(groups));
  const functions = new Map(
    groups.map((group) => [
      group,
      {
        find: createRouteFinder(group.routes),
        answering: createGroup(createHandler(group.routes, dependencies)),
      },
    ]),
  );
  return (method: string, path: string) => {
    const { key, params } = findKey(method, path) ?? {};
    const called = key && functions.get(key.group);
    const route = called?.find(method, path)?.value;
    // A group's function has the fallback, too.
    const answering = called && route ? called.answering : fallback;
    return { routeKey: key?.key ?? defaultKey, params, route, answering };
  };
};

const createResponse = (statusCode: number, message: string): Result => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});
const foreign = createResponse(403, 'Cross-origin requests require CORS_ORIGINS');
const tooLarge = createResponse(413, 'Request Entity Too Large');
const failed = createResponse(500, 'Internal Server Error');
const timedOut = createResponse(503, 'Service Unavailable');

/** More than headers and query of a request, and headers of a response, which are both escaped and repeated. */
const maxEnvelopeBytes = 512 * 1024;
const maxEscapedBytes = 6;

/** Tells whether an event or a response exceeds the limit as JSON. Most are too short for any escaping to exceed it. */
const exceedsLimit = (value: Result | Parameters<Handler>[0]): boolean =>
  maxEscapedBytes * (value.body?.length ?? 0) + maxEnvelopeBytes > limits.invocationBytes &&
  Buffer.byteLength(JSON.stringify(value)) > limits.invocationBytes;

const invoke = async (
  { handler, turns }: Group,
  event: Parameters<Handler>[0],
  requestId: string,
): Promise<Result> => {
  if (exceedsLimit(event)) return tooLarge;
  const late = new AbortController();
  const { promise: timeout, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => {
    late.abort();
    resolve(timedOut);
  }, limits.responseMs).unref();
  const context = lambdaContext(requestId, Date.now() + limits.responseMs);
  const handle = async () => {
    await turns.take(late.signal);
    try {
      return await handler(event, context);
    } finally {
      turns.giveBack();
    }
  };
  try {
    const result = await Promise.race([handle(), timeout]);
    return exceedsLimit(result) ? failed : result;
  } catch {
    return failed;
  } finally {
    clearTimeout(timer);
  }
};

const send = (
  response: ServerResponse,
  { body: text = '', isBase64Encoded, statusCode: status = 200, headers, cookies }: Result,
  requestId: string,
  method: string,
): void => {
  // Node.js sends a text together with its headers.
  const body = isBase64Encoded ? Buffer.from(text, 'base64') : text;
  // A HEAD or 304 has the length of GET, which its empty body does not have.
  const hasLength = status !== 304 && (method !== 'HEAD' || body.length > 0);
  response.writeHead(status, {
    ...(headers as Record<string, string>),
    ...(cookies && { 'set-cookie': cookies }),
    'apigw-requestid': requestId,
    ...(hasLength && { 'content-length': Buffer.byteLength(body) }),
  });
  response.end(body);
};

/** What differs between gateways. */
export interface GatewayOptions {
  /** Origins whose pages may call, or `*`. */
  readonly corsOrigins?: readonly string[];
  readonly failurePage?: FailurePage | undefined;
  /** Requests wait until the service is ready. */
  readonly ready?: Promise<void>;
  /** How many proxies before it append the address of the client to `X-Forwarded-For`. */
  readonly trustedProxies?: number;
}

/** Creates an HTTP API on this machine, which passes payload 2.0 events to the groups' handlers and applies AWS's limits. */
export const createGateway = (
  groups: readonly KeyedGroup[],
  onResponse: (entry: AccessLogEntry) => void,
  { corsOrigins = [], failurePage, ready, trustedProxies = 0 }: GatewayOptions = {},
): Server => {
  const all = groups.flatMap(({ routes }) => routes);
  const fallback = createGroup(createFallback(listEndpoints(all), failurePage));
  const findRoute = createRouter(groups, fallback);

  const answer = async (request: IncomingMessage, requestId: string, url: URL, path: string) => {
    const { routeKey, params, route, answering } = findRoute(request.method ?? '', path);
    if (!route?.isForAnyOrigin && isForeignPage(request.headers, corsOrigins)) return foreign;
    const asked = preflight(request.method, request.headers, corsOrigins);
    if (asked) return asked;
    const body = await readBody(request, limits.requestBytes);
    if (!body) return tooLarge;
    const match = { routeKey, params, url, path, requestId, trustedProxies };
    const event = toEvent(request, body, match);
    return invoke(answering, event, requestId);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await ready;
    const started = performance.now();
    const requestId = randomUUID();
    let path = '';
    let result = createResponse(400, 'Bad Request');
    try {
      const url = new URL(`http://localhost${request.url}`);
      path = decodeURIComponent(url.pathname);
      result = await answer(request, requestId, url, path);
    } catch (error) {
      // An undecodable path is a client error. Otherwise the client disconnected.
      if (!(error instanceof URIError || error instanceof TypeError))
        return void response.destroy();
    }
    for (const [name, value] of Object.entries(corsHeaders(request.headers, corsOrigins))) {
      response.setHeader(name, value);
    }
    if (!request.complete) response.setHeader('connection', 'close');
    const { method = '' } = request;
    send(response, result, requestId, method);
    const status = result.statusCode ?? 200;
    const ms = Math.round(performance.now() - started);
    onResponse({ method, path: path.replace(linkToken, '…'), status, ms });
  };

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void serve(request, response);
  return createLocalServer(listener, ['PUBLIC_URL', 'SNIPPETS_URL'], {
    maxHeaderSize: limits.headerBytes,
    keepAliveTimeout: keepAliveMs,
  });
};
