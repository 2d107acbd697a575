import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertReauthenticated } from '../../../shared/auth/reauthentication.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { Done, Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { assertCanManage, readRolesFrom } from '../users/grants.ts';
import * as users from '../users/record/users.ts';
import { Factors, toFactors } from './factors/schemas.ts';
import { getWithFactors } from './factors/stored-factors.ts';
import { UserFactors } from './identities/schemas.ts';
import {
  ApiToken,
  RevokedApiToken,
  RevokedSession,
  Session,
  SessionId,
  toApiToken,
  toSession,
} from './schemas.ts';
import * as sessions from './sessions.ts';
import { listSignIns, SignIn } from './sign-in-history.ts';
import * as apiTokens from './tokens/api-tokens.ts';

/** @throws AppError FORBIDDEN for the owner of the API token that is used */
const assertNotByOwnToken = (actor: Actor, id: number): void => {
  // A thief of the token must not be able to stay by ending what could stop it.
  if (actor.sessionId === undefined && id === actor.user.id) {
    throw new AppError(
      'FORBIDDEN',
      'API tokens can’t list or end sessions, second factors, sign-ins and tokens of their owner.',
    );
  }
};

/**
 * Returns a user whom the actor can manage.
 * @throws AppError NOT_FOUND; FORBIDDEN for a user of a higher rank, or the owner of the API token that is used
 */
const getManaged = async (actor: Actor, id: number): Promise<StoredUser> => {
  assertNotByOwnToken(actor, id);
  const user = await users.get(id);
  assertCanManage(actor, user, await readRolesFrom(actor, user.role));
  return user;
};

const errors = {
  FORBIDDEN: 'The user has a higher rank, or owns the API token that is used.',
};
const ofUser = z.object({ id: RecordId });

const ownFactors = () =>
  new AppError('FORBIDDEN', 'Remove your own second factors on the page of your account.');

/**
 * Asserts that the caller may remove a user's second factors: by a session that has just proven who uses it, and not one's own,
 * so that an open session doesn't end what protects its account.
 * @throws AppError FORBIDDEN; REAUTHENTICATION_REQUIRED
 */
const assertCanReset = async (actor: Actor, id: number): Promise<void> => {
  const { sessionId } = actor;
  if (sessionId === undefined) {
    throw new AppError('FORBIDDEN', 'API tokens can’t be used for this request.');
  }
  if (id === actor.user.id) throw ownFactors();
  const reason = 'Without second factors, the password alone signs in to the account.';
  await assertReauthenticated({ ...actor, sessionId }, undefined, reason);
};

/** The routes of another user's sessions, second factors, sign-ins and API tokens. They reveal addresses and devices, so they need `users:update`. */
export const userAccessRoutes = [
  route({
    endpoint: 'GET /api/users/{id}/sessions',
    access: 'users:update',
    summary: 'List a user’s sessions',
    description: 'Returns the user’s active sessions, most recently used first, up to 100.',
    params: ofUser,
    output: Success(z.array(Session)),
    errors,
    handle: async ({ actor, params: { id } }) => {
      const active = await sessions.list(id, getManaged(actor, id));
      return success(active.map((session) => toSession(session, actor.sessionId)));
    },
  }),
  route({
    endpoint: 'DELETE /api/users/{id}/sessions',
    access: 'users:update',
    summary: 'End a user’s sessions',
    description: 'Signs the user out everywhere, immediately. API tokens stay valid.',
    params: ofUser,
    output: Done,
    errors,
    auditAction: 'session.revoke',
    handle: async ({ actor, params, recorder }) => {
      await sessions.endAll(await getManaged(actor, params.id), recorder, 'administrator');
      return success({}, 'Sessions ended');
    },
  }),
  route({
    endpoint: 'DELETE /api/users/{id}/sessions/{sessionId}',
    access: 'users:update',
    summary: 'Revoke a user’s session',
    description: 'Ends one of the user’s sessions immediately. Its tokens stop working.',
    params: z.object({ id: RecordId, sessionId: SessionId }),
    output: RevokedSession,
    errors,
    auditAction: 'session.revoke',
    handle: async ({ actor, params: { id, sessionId }, recorder }) => {
      await sessions.revoke(await getManaged(actor, id), sessionId, recorder, 'administrator');
      return success({ id: sessionId }, 'Session ended');
    },
  }),
  route({
    endpoint: 'GET /api/users/{id}/factors',
    access: 'users:update',
    summary: 'List a user’s second factors',
    description:
      'Returns what the user has set up, how many recovery codes are left, and the connected accounts at providers.',
    params: ofUser,
    output: Success(UserFactors),
    errors,
    handle: async ({ actor, params: { id } }) => {
      assertNotByOwnToken(actor, id);
      const { user, factors } = await getWithFactors(id);
      assertCanManage(actor, user, await readRolesFrom(actor, user.role));
      const { toUserFactors } = await import('./identities/shown.ts');
      return success(toUserFactors(factors));
    },
  }),
  route({
    endpoint: 'DELETE /api/users/{id}/factors',
    access: 'users:update',
    summary: 'Remove a user’s second factors',
    description:
      'For users who have lost theirs: removes the authenticator app, all passkeys and recovery codes. Connected accounts stay. The password alone signs in until the user sets one up again, which `MFA_REQUIRED_ROLES` can require. Devices that were not asked are asked again; sessions stay. The user is notified. Takes a session, and not for yourself.',
    params: ofUser,
    output: Success(Factors),
    errors: {
      FORBIDDEN:
        'The user has a higher rank, or is yourself, or an API token is used; with the code `REAUTHENTICATION_REQUIRED`, you must prove again who you are, by `POST /api/auth/reauthenticate`.',
    },
    auditAction: 'factor.reset',
    handle: async ({ actor, params: { id }, recorder }) => {
      await assertCanReset(actor, id);
      const { resetFactors } = await import('./factors/reset.ts');
      return success(toFactors(await resetFactors(id, actor, recorder)), 'Second factors removed');
    },
  }),
  route({
    endpoint: 'GET /api/users/{id}/sign-ins',
    access: 'users:update',
    summary: 'List a user’s sign-ins',
    description:
      'Returns the last 50 sign-ins of the user and failed attempts, newest first, as far as the audit log has them.',
    params: ofUser,
    output: Success(z.array(SignIn)),
    errors,
    handle: async ({ actor, params: { id } }) => {
      await getManaged(actor, id);
      return success(await listSignIns(id));
    },
  }),
  route({
    endpoint: 'GET /api/users/{id}/tokens',
    access: 'users:update',
    summary: 'List a user’s API tokens',
    description: 'Returns the user’s active API tokens, newest first, without the secret part.',
    params: ofUser,
    output: Success(z.array(ApiToken)),
    errors,
    handle: async ({ actor, params: { id } }) =>
      success((await apiTokens.list(id, getManaged(actor, id))).map(toApiToken)),
  }),
  route({
    endpoint: 'DELETE /api/users/{id}/tokens/{tokenId}',
    access: 'users:update',
    summary: 'Revoke a user’s API token',
    description: 'Ends one of the user’s API tokens immediately.',
    params: z.object({ id: RecordId, tokenId: RecordId }),
    output: RevokedApiToken,
    errors,
    auditAction: 'token.revoke',
    handle: async ({ actor, params: { id, tokenId }, recorder }) => {
      await apiTokens.revoke(await getManaged(actor, id), tokenId, recorder);
      return success({ id: tokenId }, 'Token revoked');
    },
  }),
];
