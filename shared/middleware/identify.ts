import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import type { Middleware } from '../http.ts';

/** Finds who sends an `Authorization` header, or throws UNAUTHORIZED. */
export type Authenticate = (authorization: string | undefined) => Promise<Actor>;

/** Finds out who calls. Where signing in is optional, bad credentials count as none. */
export const identify = (authenticate: Authenticate): Middleware => ({
  before: async ({ event, context }) => {
    const { access } = context.route;
    if (access === 'public') return;
    const authorization = event.headers['authorization'];
    try {
      context.actor = await authenticate(authorization);
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'UNAUTHORIZED';
      if (access !== 'optional' || !isRefused) throw error;
    }
  },
});
