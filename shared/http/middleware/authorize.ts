import type { Actor } from '../../auth/actor.ts';
import { enrolmentRequired } from '../../auth/enrolment.ts';
import { deletionPending } from '../../auth/leaving.ts';
import { isLeaving } from '../../auth/user.ts';
import { mustVerify, verificationRequired } from '../../auth/verification.ts';
import { can, type Permission } from '../../permissions/permissions.ts';
import { isScope, type RequiredScope } from '../../permissions/scopes.ts';
import { AppError, missingPermission } from '../../runtime/errors.ts';
import type { Middleware } from '../http.ts';
import type { Route } from '../route.ts';

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

/** Who may call a route. */
type Guarded = Pick<
  Route,
  'access' | 'accessByRecord' | 'scope' | 'isForUnverified' | 'isForUnenrolled' | 'isForLeaving'
>;

const isLeavingFor = ({ isForLeaving }: Guarded, actor: Actor | undefined): boolean =>
  actor !== undefined && !isForLeaving && isLeaving(actor.user);

const isUnverifiedFor = ({ isForUnverified }: Guarded, actor: Actor | undefined): boolean =>
  actor !== undefined && !isForUnverified && mustVerify(actor.user);

const isUnenrolledFor = (
  { isForUnverified, isForUnenrolled }: Guarded,
  actor: Actor | undefined,
): boolean => actor?.mustEnrol === true && !isForUnverified && !isForUnenrolled;

/** Returns why a caller may not call a route where sign-in isn't optional, if so. */
export const findRefusal = (route: Guarded, actor: Actor | undefined): AppError | undefined => {
  const { access, accessByRecord, scope } = route;
  if (access === 'public' || access === 'optional') return undefined;
  if (isLeavingFor(route, actor)) return deletionPending();
  if (isUnverifiedFor(route, actor)) return verificationRequired();
  if (isUnenrolledFor(route, actor)) return enrolmentRequired();
  if (access === 'session') return actor?.sessionId === undefined ? sessionRequired() : undefined;
  if (access === 'signed-in') {
    if (actor && hasScope(actor, scope)) return undefined;
    if (scope === undefined || scope === 'session') return sessionRequired();
    return new AppError('FORBIDDEN', `The API token lacks ${scope}.`);
  }
  if (actor && hasPermission(actor, access, accessByRecord)) return undefined;
  return missingPermission(access);
};

/**
 * Checks the route's permission, or the scope of an API token, before the path and body are validated. Users whose
 * account waits to be deleted or who must verify their address first are refused, and so are sessions that must set up a second
 * factor. Where sign-in is optional, they and a
 * token without the scope count as signed out.
 */
export const authorize = (): Middleware => ({
  before: ({ context }) => {
    const { route, actor } = context;
    if (route.access === 'optional') {
      const isAboutToLeave = isLeavingFor(route, actor);
      context.isLeaving = isAboutToLeave;
      const isUnverified = isUnverifiedFor(route, actor);
      context.isUnverified = isUnverified;
      const isUnenrolled = isUnenrolledFor(route, actor);
      context.isUnenrolled = isUnenrolled;
      const mustDoFirst = isAboutToLeave || isUnverified || isUnenrolled;
      if (mustDoFirst || (actor && !hasScope(actor, route.scope))) context.actor = undefined;
      return;
    }
    const refusal = findRefusal(route, actor);
    if (refusal) throw refusal;
  },
});
