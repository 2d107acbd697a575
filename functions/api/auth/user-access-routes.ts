import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { Done, Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { assertCanManage } from '../users/grants.ts';
import * as users from '../users/record/users.ts';
import * as apiTokens from './api-tokens.ts';
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

/**
 * Returns a user whom the actor can manage.
 * @throws AppError NOT_FOUND; FORBIDDEN for a user of a higher rank, or the owner of the API token that is used
 */
const getManaged = async (actor: Actor, id: number): Promise<StoredUser> => {
  // A thief of the token must not be able to stay by ending what could stop it.
  if (actor.sessionId === undefined && id === actor.user.id) {
    throw new AppError(
      'FORBIDDEN',
      'API tokens can’t list or end sessions and tokens of their owner.',
    );
  }
  const user = await users.get(id);
  assertCanManage(actor, user);
  return user;
};

const errors = {
  FORBIDDEN: 'The user has a higher rank, or owns the API token that is used.',
};
const ofUser = z.object({ id: RecordId });

/** The routes of another user's sessions and API tokens. They reveal addresses and devices, so they need `users:update`. */
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
