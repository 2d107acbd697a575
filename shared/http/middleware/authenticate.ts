import type { Authenticator } from '../../auth/actor.ts';
import { SessionEnd } from '../../auth/sign-out-reason.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Event, Middleware, RequestContext } from '../http.ts';

/** Begins what the route reads ahead. Errors in the query are told once the caller is known. */
const readAhead = (event: Event, context: RequestContext, userId: number): void => {
  const { route } = context;
  if (!route.readAhead) return;
  const query = route.query?.safeParse(event.queryStringParameters ?? {});
  if (query && !query.success) return;
  context.ahead = route.readAhead(userId, query?.data);
  // Nobody waits for it if the caller is refused.
  context.ahead?.catch(() => undefined);
};

/**
 * Authenticates the caller, by the route's own rules if it has some. Where sign-in is optional, invalid credentials count as
 * none.
 */
export const authenticate = (authenticateUser: Authenticator): Middleware => ({
  before: async ({ event, context }) => {
    const { access, onlyIdentifies, authenticate = authenticateUser } = context.route;
    if (access === 'public') return;
    const { headers, cookies, body, requestContext } = event;
    const method = onlyIdentifies ? 'GET' : requestContext.http.method;
    try {
      context.actor = await authenticate(
        { method, headers, cookies, hasBody: Boolean(body) },
        (userId) => readAhead(event, context, userId),
      );
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'UNAUTHORIZED';
      if (access !== 'optional' || !isRefused) throw error;
      if (error.cause instanceof SessionEnd) context.signedOut = error.cause.reason;
    }
  },
});
