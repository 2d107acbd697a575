import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createAuditRecorder } from '../../shared/audit/audit-log.ts';
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
import type { FailurePage, Route } from '../../shared/http/route.ts';
import { createTurns, type Turns } from '../../shared/runtime/turns.ts';
import { corsHeaders, isForeignPage, preflight } from './cors.ts';
import { toEvent } from './event.ts';
import { lambdaContext } from './host/lambda-context.ts';
import { createLocalServer } from './host/local-server.ts';

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
 * until they time out. It exceeds the limit of Markdown conversions, which take long.
 */
const concurrency = 25;
/** Longer than clients keep connections, so that none is closed while a request is in flight. */
const keepAliveMs = 60_000;

interface Entry {
  readonly routeKey: string;
  readonly method: string;
  readonly pattern: URLPattern;
  readonly group: Group;
}

type RouteGroups = readonly { readonly routes: readonly Route[] }[];

/** The handler of a group's routes, with its limit of concurrent events. */
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

/** A token in a path, for instance of a calendar feed. */
const linkToken = /\b\d{1,16}\.[\w-]{43}(?![\w-])/g;

const isParam = (segment: string | undefined): boolean => segment?.startsWith('{') ?? false;

/** Sorts `/users/me` before `/users/{id}`, as API Gateway does. */
const bySpecificity = (a: Route, b: Route): number => {
  const [left, right] = [a.path.split('/'), b.path.split('/')];
  const at = left.findIndex((segment, i) => isParam(segment) !== isParam(right[i]));
  return at === -1 ? 0 : Number(isParam(left[at])) - Number(isParam(right[at]));
};

const dependencies: HandlerDependencies = {
  authenticate,
  createAuditRecorder,
  limiter,
  idempotency,
  readMultipart,
};

const createGroup = (handler: Handler): Group => ({ handler, turns: createTurns(concurrency) });

const toEntries = (groups: RouteGroups): Entry[] => {
  const groupByRoute = new Map<Route, Group>();
  for (const { routes } of groups) {
    const group = createGroup(createHandler(routes, dependencies));
    for (const route of routes) groupByRoute.set(route, group);
  }
  return [...groupByRoute]
    .sort(([a], [b]) => bySpecificity(a, b))
    .flatMap(([route, group]) => listEndpoints([route]).map((endpoint) => ({ endpoint, group })))
    .map(({ endpoint: { method, path }, group }) => ({
      routeKey: `${method} ${path}`,
      method,
      pattern: new URLPattern({ pathname: path.replace(/\{(\w+)\}/g, ':$1') }),
      group,
    }));
};

/** Reads the body, or returns undefined when it exceeds the limit. */
const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > limits.requestBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
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

const exceedsLimit = (value: unknown): boolean =>
  Buffer.byteLength(JSON.stringify(value)) > limits.invocationBytes;

const invoke = async (
  { handler, turns }: Group,
  event: Parameters<Handler>[0],
  requestId: string,
) => {
  if (exceedsLimit(event)) return tooLarge;
  const ended = new AbortController();
  const timeout = wait(limits.responseMs, timedOut, { signal: ended.signal, ref: false }).catch(
    () => timedOut,
  );
  const context = lambdaContext(requestId, Date.now() + limits.responseMs);
  const handle = async () => {
    await turns.take(ended.signal);
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
    ended.abort();
  }
};

/** Returns the content length, except for HEAD and 304, whose empty body does not have the length of GET. */
const lengthHeader = (method: string | undefined, status: number, body: Buffer) =>
  status === 304 || (method === 'HEAD' && body.length === 0)
    ? {}
    : { 'content-length': body.length };

const send = (
  response: ServerResponse,
  result: Result,
  requestId: string,
  method: string | undefined,
): void => {
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  const status = result.statusCode ?? 200;
  response.writeHead(status, {
    ...(result.headers as Record<string, string>),
    ...(result.cookies && { 'set-cookie': result.cookies }),
    'apigw-requestid': requestId,
    ...lengthHeader(method, status, body),
  });
  response.end(body);
};

/**
 * Creates an HTTP API on this machine, which passes payload 2.0 events to the groups' handlers and applies AWS's limits.
 * Requests wait until the service is ready.
 */
export const createGateway = (
  groups: RouteGroups,
  onResponse: (entry: AccessLogEntry) => void,
  corsOrigins: readonly string[] = [],
  failurePage?: FailurePage,
  ready?: Promise<void>,
): Server => {
  const entries = toEntries(groups);
  const all = groups.flatMap(({ routes }) => routes);
  const fallback = createGroup(createFallback(listEndpoints(all), failurePage));

  const answer = async (request: IncomingMessage, requestId: string, url: URL, path: string) => {
    if (isForeignPage(request.headers, corsOrigins)) return foreign;
    const asked = preflight(request.method, request.headers, corsOrigins);
    if (asked) return asked;
    const body = await readBody(request);
    if (!body) return tooLarge;
    const found = entries.find(
      ({ method, pattern }) =>
        method === request.method && pattern.test({ pathname: url.pathname }),
    );
    const encoded = found?.pattern.exec({ pathname: url.pathname })?.pathname.groups ?? {};
    const params = Object.fromEntries(
      Object.entries(encoded).map(([name, value]) => [name, decodeURIComponent(value ?? '')]),
    );
    const routeKey = found?.routeKey ?? '$default';
    const event = toEvent(request, body, { routeKey, params, url, path, requestId });
    return invoke(found?.group ?? fallback, event, requestId);
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
  return createLocalServer(listener, {
    maxHeaderSize: limits.headerBytes,
    keepAliveTimeout: keepAliveMs,
  });
};
