import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { type CallContext, commonHeaders, contentTypes, type Event, type Result } from './http.ts';
import { authorize } from './middleware/authorize.ts';
import { errorEnvelope } from './middleware/error-envelope.ts';
import { identify } from './middleware/identify.ts';
import { matchRoute } from './middleware/match-route.ts';
import { validate } from './middleware/validate.ts';
import { Reply } from './reply.ts';
import type { Route, RouteRequest } from './route.ts';
import { log, measures } from './telemetry.ts';

/** A Lambda function behind an HTTP API with payload format 2.0. */
export type Handler = (event: Event, context: Context) => Promise<Result>;

const callRoute = async (event: Event, context: CallContext): Promise<Result> => {
  const { route, actor, params, query, headers, body } = context;
  const { sourceIp, userAgent } = event.requestContext.http;
  const caller = { address: sourceIp, userAgent: userAgent || undefined };
  const request = { actor, params, query, headers, body, caller } as RouteRequest;
  const output = await route.handle(request);
  const reply = output instanceof Reply ? output : new Reply(output);
  // The schema strips whatever the document doesn't name: keys, hashes, secrets.
  const shown = route.output.parse(reply.body);
  return {
    statusCode: reply.status ?? route.status,
    headers: {
      ...commonHeaders(event),
      'content-type': contentTypes[route.produces],
      ...reply.headers,
    },
    body: route.produces === 'json' ? JSON.stringify(shown) : String(shown),
  };
};

/** The order of the middleware is the order of the checks: 404, then 401, then 403, then 400. */
const build = (routes: readonly Route[]): Handler =>
  middy<Event, Result, Error, CallContext>(callRoute)
    .use(injectLambdaContext(log()))
    .use(logMetrics(measures()))
    .use(errorEnvelope())
    .use(matchRoute(routes))
    .use(identify())
    .use(authorize())
    .use(validate()) as unknown as Handler; // middy asks the caller for what the middleware adds

/** The Lambda handler of one group of routes. Nothing happens before its first event. */
export const createHandler = (routes: readonly Route[]): Handler => {
  let handler: Handler | undefined;
  return (event, context) => {
    handler ??= build(routes);
    return handler(event, context);
  };
};
