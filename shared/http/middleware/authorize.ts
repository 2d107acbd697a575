import type { Actor } from '../../auth/actor.ts';
import { mustVerify, verificationRequired } from '../../auth/verification.ts';
import { can, type Permission } from '../../permissions/permissions.ts';
import { isScope, type RequiredScope } from '../../permissions/scopes.ts';
import { AppError, missingPermission } from '../../runtime/errors.ts';
import type { Middleware } from '../http.ts';

const sessionRequired = () =>
  new AppError('FORBIDDEN', 'API tokens can’t be used for this request.');

/** Returns whether the caller has what an API token needs for a route. A route without a scope is open to no token. */
const hasScope = (
  { token, isLimited, permissions }: Actor,
  scope: RequiredScope = 'session',
): boolean => {
  if (!token) return true;
  if (scope === 'session') return false;
  if (scope === 'none' || !isLimited) return true;
  return isScope(scope) ? token.scopes.has(scope) : can(permissions, scope);
};

/** Returns whether the caller has the permission of a route, or the one with which a record may give the right. */
const hasPermission = (
  actor: Actor,
  access: Permission,
  byRecord: Permission | undefined,
): boolean =>
  can(actor.permissions, access) ||
  (byRecord !== undefined && !actor.isLimited && can(actor.permissions, byRecord));

/**
 * Checks the route's permission, or the scope of an API token, before the path and body are validated. Users who must verify
 * their address first are refused. Where sign-in is optional, they and a token without the scope count as signed out.
 */
export const authorize = (): Middleware => ({
  before: ({ context }) => {
    const { route, actor } = context;
    const { access, accessByRecord, scope } = route;
    if (access === 'public') return;
    const isUnverified = actor !== undefined && !route.isForUnverified && mustVerify(actor.user);
    if (access === 'optional') {
      context.isUnverified = isUnverified;
      if (isUnverified || (actor && !hasScope(actor, scope))) context.actor = undefined;
      return;
    }
    if (isUnverified) throw verificationRequired();
    if (access === 'session') {
      if (actor?.sessionId !== undefined) return;
      throw sessionRequired();
    }
    if (access === 'signed-in') {
      if (actor && hasScope(actor, scope)) return;
      if (scope === undefined || scope === 'session') throw sessionRequired();
      throw new AppError('FORBIDDEN', `The API token lacks ${scope}.`);
    }
    if (!actor || !hasPermission(actor, access, accessByRecord)) throw missingPermission(access);
  },
});
