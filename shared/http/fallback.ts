import middy from '@middy/core';
import { AppError } from '../runtime/errors.ts';
import type { Handler } from './create-handler.ts';
import { commonHeaders, type Event, type RequestContext, type Result } from './http.ts';
import { meter } from './meter.ts';
import { acceptEdge } from './middleware/accept-edge.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { stripHeadBody } from './middleware/strip-head-body.ts';
import type { FailurePage } from './route.ts';

/** An endpoint as API Gateway knows it, such as GET `/api/users/{id}`. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/** Lists the endpoints of routes, with a HEAD for each GET. */
export const listEndpoints = (routes: readonly Endpoint[]): Endpoint[] =>
  routes.flatMap(({ method, path }) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((each) => ({ method: each, path })),
  );

/** Returns what the paths of a template match, with its parameters as groups. `{proxy+}` stands for all that follows. */
export const toPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
      .replace(/\{(\w+)\+\}/g, '(?<$1>.*)')}$`,
  );

/**
 * Creates the handler for requests that match no route: OPTIONS returns `Allow`, another method of a known path 405,
 * everything else 404. It gets a list of endpoints instead of the routes, so that its bundle contains no group.
 * `failurePage` renders the error for browsers.
 */
export const createFallback = (
  endpoints: readonly Endpoint[],
  failurePage?: FailurePage,
): Handler => {
  const known = endpoints.map(({ method, path }) => ({ method, pattern: toPattern(path) }));
  const handler = middy<Event, Result, Error, RequestContext>((event: Event) => {
    const { method } = event.requestContext.http;
    const methods = known.filter(({ pattern }) => pattern.test(event.rawPath)).map((k) => k.method);
    // With a method of the path, the gateway sent it to a function that doesn't have it, for instance with an encoded slash.
    if (methods.length === 0 || methods.includes(method)) {
      throw new AppError('NOT_FOUND', 'Not found.');
    }
    const allow = [...new Set(methods)].join(', ');
    // The gateway answers CORS preflights itself, or adds its headers to this response.
    if (method === 'OPTIONS') {
      return { statusCode: 204, headers: { ...commonHeaders(event), allow } };
    }
    throw new AppError('METHOD_NOT_ALLOWED', `Method not allowed. Allowed: ${allow}.`, {
      headers: { allow },
    });
  })
    .use(stripHeadBody())
    .use(errorHandler(failurePage))
    .use(acceptEdge()) as unknown as Handler; // The middleware completes the context.
  return meter(handler, () => '$default');
};
