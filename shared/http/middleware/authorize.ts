import { mustVerify, verificationRequired } from '../../auth/verification.ts';
import { can } from '../../permissions/permissions.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Middleware } from '../http.ts';

/**
 * Checks the route's permission before the path and body are validated. Users who must verify their address first count as
 * signed out where sign-in is optional, and are refused elsewhere.
 */
export const authorize = (): Middleware => ({
  before: ({ context }) => {
    const { route, actor } = context;
    const { access } = route;
    if (actor && !route.isForUnverified && mustVerify(actor.user)) {
      if (access !== 'optional') throw verificationRequired();
      context.actor = undefined;
    }
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
