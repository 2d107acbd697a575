import middy from '@middy/core';
import { AppError } from '../runtime/errors.ts';
import type { Handler } from './create-handler.ts';
import { commonHeaders, type Event, type RequestContext, type Result } from './http.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { stripHeadBody } from './middleware/strip-head-body.ts';
import type { FailurePage } from './route.ts';

/** One endpoint as API Gateway knows it, for instance GET `/api/users/{id}`. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/** The endpoints of routes: HEAD stands beside each GET. */
export const listEndpoints = (routes: readonly Endpoint[]): Endpoint[] =>
  routes.flatMap(({ method, path }) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((each) => ({ method: each, path })),
  );

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/**
 * Answers what no route matches: OPTIONS with `Allow`, 405 with it where another method would be right, else 404.
 * Knows the endpoints by their list only, so that its bundle holds none of the groups. `failurePage` is how that looks to
 * a person.
 */
export const createFallback = (
  endpoints: readonly Endpoint[],
  failurePage?: FailurePage,
): Handler => {
  const known = endpoints.map(({ method, path }) => ({ method, pattern: toPattern(path) }));
  return middy<Event, Result, Error, RequestContext>((event: Event) => {
    const methods = known.filter(({ pattern }) => pattern.test(event.rawPath)).map((k) => k.method);
    if (methods.length === 0) throw new AppError('NOT_FOUND', 'Not found.');
    const allow = [...new Set(methods)].join(', ');
    // The gateway answers a browser's question for CORS itself, or adds its headers to this.
    if (event.requestContext.http.method === 'OPTIONS') {
      return { statusCode: 204, headers: { ...commonHeaders(event), allow } };
    }
    throw new AppError('METHOD_NOT_ALLOWED', `Method not allowed. Allowed: ${allow}.`, {
      headers: { allow },
    });
  })
    .use(stripHeadBody())
    .use(errorHandler(failurePage)) as unknown as Handler; // middy asks the caller for what the middleware adds
};
