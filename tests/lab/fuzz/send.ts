import { randomUUID } from 'node:crypto';
import { hosts, listGroups } from '../../../functions/routes.ts';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import { createChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { authenticate } from '../../../shared/auth/actor.ts';
import { createHandler, type Handler } from '../../../shared/http/create-handler.ts';
import { createFallback, listEndpoints } from '../../../shared/http/fallback.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { Event } from '../../../shared/http/http.ts';
import * as idempotency from '../../../shared/http/idempotency/idempotency.ts';
import { readMultipart } from '../../../shared/http/multipart.ts';
import * as limiter from '../../../shared/http/rate-limit.ts';
import type { Route } from '../../../shared/http/route.ts';

/** A request to a function, in the form of the gateway. */
export interface Sent {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly token?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As sent. */
  readonly text: string;
  /** The parsed JSON, or else the text. */
  // biome-ignore lint/suspicious/noExplicitAny: depends on the route
  readonly body: any;
}

const groups = (Object.keys(hosts) as Host[]).flatMap(listGroups).map(({ routes }) => routes);

/** Routes that replace others of the same endpoint, for tests of the fuzzer itself. */
export type Replaced = readonly Route[];

/** Returns the path of a request. */
export const pathOf = ({ path, params = {} }: Pick<Sent, 'path' | 'params'>): string =>
  path.replace(/\{(\w+)\+?\}/g, (_, name) =>
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  );

const toEvent = (sent: Sent, routeKey: string): Event => {
  const { method, params = {}, query, headers = {}, body, token } = sent;
  // The gateway decodes the path, so that a slash would begin another segment.
  const rawPath = sent.path.replace(/\{(\w+)\+?\}/g, (_, name) =>
    (params[name] ?? '').toWellFormed().replaceAll('/', '%2F'),
  );
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(query && Object.keys(query).length > 0 && { queryStringParameters: { ...query } }),
    requestContext: {
      accountId: '0',
      apiId: 'fuzz',
      domainName: 'handbill.test',
      domainPrefix: 'fuzz',
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.1',
        userAgent: 'fuzz',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: '',
      timeEpoch: Date.now(),
    },
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  };
};

/**
 * Creates a sender of requests to the functions of all routes. Unknown endpoints go to the fallback, as in the gateway.
 */
export const createSender = (replaced: Replaced = []) => {
  const handlers = new Map<string, Handler>();
  const dependencies = {
    authenticate,
    createChangeRecorder,
    limiter,
    idempotency,
    readMultipart,
  };
  for (const routes of [...groups, replaced]) {
    const handler = createHandler(routes, dependencies);
    for (const { method, path } of routes) handlers.set(`${method} ${path}`, handler);
  }
  const fallback = createFallback(listEndpoints(groups.flat()));

  return async (sent: Sent): Promise<Answer> => {
    const endpoint = `${sent.method} ${sent.path}`;
    const known = handlers.get(endpoint.replace(/^HEAD /, 'GET '));
    const event = toEvent(sent, known ? endpoint : '$default');
    const context = lambdaContext(randomUUID(), Date.now() + 30_000);
    const result = await (known ?? fallback)(event, context);
    const headers = (result.headers ?? {}) as Record<string, string>;
    const text = result.body ?? '';
    const isJson = headers['content-type']?.startsWith('application/json');
    const body = isJson && !result.isBase64Encoded && text !== '' ? JSON.parse(text) : text;
    return { status: result.statusCode ?? 0, headers, text, body };
  };
};

export type Send = ReturnType<typeof createSender>;
