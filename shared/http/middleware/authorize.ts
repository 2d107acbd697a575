import { can } from '../../permissions/permissions.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Middleware } from '../http.ts';

/** Checks the route's permission before the path and body are validated. */
export const authorize = (): Middleware => ({
  before: ({ context: { route, actor } }) => {
    const { access } = route;
    if (access === 'public' || access === 'optional' || access === 'signed-in') return;
    if (access === 'session') {
      if (actor?.sessionId !== undefined) return;
      throw new AppError('FORBIDDEN', 'API tokens can’t be used for this request.');
    }
    if (!actor || !can(actor.permissions, access)) {
      throw new AppError('FORBIDDEN', `Missing permission: ${access}.`);
    }
  },
});
