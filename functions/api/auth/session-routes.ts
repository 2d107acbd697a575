import * as z from 'zod';
import { withNewPassword } from '../../../shared/auth/new-password.ts';
import { assertPasswordSignIn } from '../../../shared/auth/ways-in.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { Done, Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { optional } from '../../../shared/input/fields.ts';
import { ownPasswordLimit } from '../users/limits.ts';
import {
  ApiToken,
  CreateApiTokenInput,
  CreatedApiToken,
  RevokedApiToken,
  RevokedSession,
  Session,
  SessionId,
  toApiToken,
  toCeiling,
  toSession,
} from './schemas.ts';
import * as sessions from './sessions.ts';
import * as apiTokens from './tokens/api-tokens.ts';

const ChangePasswordInput = withNewPassword({
  currentPassword: z.string().max(256),
  scope: optional(z.enum(['sessions', 'all'], 'must be sessions or all')).meta({
    description: '`sessions` ends your other sessions; `all` ends your API tokens, too.',
  }),
}).meta({
  id: 'ChangePasswordInput',
  examples: [{ currentPassword: 'correct horse', password: 'battery staple', scope: 'all' }],
});

/** The routes of the caller's sessions, API tokens and password. API tokens can't use them. */
export const sessionRoutes = [
  route({
    endpoint: 'GET /api/auth/sessions',
    access: 'session',
    summary: 'List your sessions',
    description: 'Returns all active sessions, most recently used first.',
    output: Success(z.array(Session)),
    handle: async ({ actor }) =>
      success(
        (await sessions.list(actor.user.id, actor.user)).map((session) =>
          toSession(session, actor.sessionId),
        ),
      ),
  }),
  route({
    endpoint: 'DELETE /api/auth/sessions/{id}',
    access: 'session',
    summary: 'Revoke a session',
    description: 'Ends one of your sessions immediately. Its tokens stop working.',
    params: z.object({ id: SessionId }),
    output: RevokedSession,
    auditAction: 'session.revoke',
    handle: async ({ actor, params, recorder }) => {
      await sessions.revoke(actor.user, params.id, recorder, 'device');
      return success({ id: params.id }, 'Session ended');
    },
  }),
  route({
    endpoint: 'POST /api/auth/tokens',
    access: 'session',
    summary: 'Create an API token',
    description:
      'The token is shown only once. Without `permissions` it can do whatever you can; it never gets a permission that you don’t have. A `ceiling` bounds only what it publishes: more is refused with 403, and limits that a request leaves out are the most that the ceiling allows. A share whose audience is left out is for no one whom the ceiling excludes. You can have up to 50 tokens.',
    status: 201,
    body: CreateApiTokenInput,
    output: CreatedApiToken,
    errors: {
      FORBIDDEN:
        'An API token is used, or you lack one of the permissions; with the code `REAUTHENTICATION_REQUIRED`, the token is one for which you need `currentPassword`, or a proof of your second factor, because you signed in over 15 minutes ago.',
      CONFLICT: 'You already have 50 API tokens.',
    },
    limits: [ownPasswordLimit],
    auditAction: 'token.create',
    handle: async ({ actor, body, recorder }) => {
      const fields = {
        name: body.name,
        permissions: body.permissions ?? undefined,
        ceiling: toCeiling(body.ceiling),
        expiresInDays: body.expiresInDays ?? undefined,
        currentPassword: body.currentPassword ?? undefined,
      };
      const { stored, token } = await apiTokens.create(actor, fields, recorder);
      return success(
        { ...toApiToken(stored), token },
        'Copy the token now. It won’t be shown again.',
      );
    },
  }),
  route({
    endpoint: 'GET /api/auth/tokens',
    access: 'session',
    summary: 'List your API tokens',
    description: 'Returns all of your API tokens, newest first, without the secret part.',
    output: Success(z.array(ApiToken)),
    handle: async ({ actor }) =>
      success((await apiTokens.list(actor.user.id, actor.user)).map(toApiToken)),
  }),
  route({
    endpoint: 'DELETE /api/auth/tokens/{id}',
    access: 'session',
    summary: 'Revoke an API token',
    description: 'Ends one of your API tokens immediately.',
    params: z.object({ id: RecordId }),
    output: RevokedApiToken,
    auditAction: 'token.revoke',
    handle: async ({ actor, params, recorder }) => {
      await apiTokens.revoke(actor.user, params.id, recorder);
      return success({ id: params.id }, 'Token revoked');
    },
  }),
  route({
    endpoint: 'PUT /api/auth/password',
    access: 'session',
    summary: 'Change your password',
    description: 'Ends all other sessions. With `scope: "all"` your API tokens end, too.',
    body: ChangePasswordInput,
    output: Done,
    errors: {
      FORBIDDEN:
        'An API token is used, or the setting PASSWORD_SIGN_IN is off; with the code `REAUTHENTICATION_REQUIRED`, you have a second factor and must prove it.',
    },
    limits: [ownPasswordLimit],
    auditAction: 'password.change',
    handle: async ({ actor, body, recorder }) => {
      assertPasswordSignIn();
      const { changePassword } = await import('./change-password.ts');
      await changePassword(actor, body, recorder);
      return success({}, 'Password changed');
    },
  }),
];
