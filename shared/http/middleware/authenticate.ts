import type { Actor, Credentials } from '../../auth/actor.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Middleware } from '../http.ts';

/** Authenticates a request, or throws UNAUTHORIZED. */
export type Authenticator = (credentials: Credentials) => Promise<Actor>;

/** Authenticates the caller. Where sign-in is optional, invalid credentials count as none. */
export const authenticate = (authenticate: Authenticator): Middleware => ({
  before: async ({ event, context }) => {
    const { access } = context.route;
    if (access === 'public') return;
    const { headers, cookies, body, requestContext } = event;
    const { method } = requestContext.http;
    try {
      context.actor = await authenticate({ method, headers, cookies, hasBody: Boolean(body) });
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'UNAUTHORIZED';
      if (access !== 'optional' || !isRefused) throw error;
    }
  },
});
