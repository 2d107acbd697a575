import * as z from 'zod';
import { clearedSessionCookie } from '../../../shared/auth/session-cookie.ts';
import { exampleOwnUser, OwnUser, toOwnUser } from '../../../shared/auth/user.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { optional } from '../../../shared/input/fields.ts';
import { keepAccount, leaveAccount } from './leaving.ts';
import { ownPasswordLimit } from './limits.ts';

const LeaveInput = z
  .object({
    currentPassword: optional(z.string().max(256), (text) => text === '').meta({
      description: 'Required of users who have a password that signs in.',
    }),
  })
  .meta({ id: 'LeaveInput', examples: [{ currentPassword: 'correct horse' }] });

const LeavingAccount = Success(
  z.object({
    id: z.int().positive(),
    deletesAt: z.iso
      .datetime()
      .meta({ description: 'Until when signing in can keep the account.' }),
  }),
).meta({
  id: 'LeavingAccount',
  examples: [success({ id: exampleOwnUser.id, deletesAt: '2026-11-28T12:00:00.000Z' })],
});

/** The routes by which users delete their own accounts, and keep them. */
export const leavingRoutes = [
  route({
    endpoint: 'DELETE /api/users/me',
    access: 'session',
    isForUnverified: true,
    summary: 'Delete your account',
    description:
      'Closes your account at once: your sessions end, your shares and feeds stop, and API tokens and apps are refused. It is deleted in 7 days with all that you own. Until then you can sign in and keep it with `POST /api/users/me/restore`; everything else gets the error `DELETION_PENDING`.',
    body: LeaveInput,
    output: LeavingAccount,
    errors: {
      FORBIDDEN:
        'An API token is used; with the code `REAUTHENTICATION_REQUIRED`, you have a second factor or no password, and must prove who you are.',
      CONFLICT: 'You are the last active super_admin.',
    },
    limits: [ownPasswordLimit],
    auditAction: 'user.leave',
    handle: async ({ actor, body, recorder }) => {
      const password = body.currentPassword ?? undefined;
      const deletesAt = await leaveAccount(actor, password, recorder);
      const data = { id: actor.user.id, deletesAt };
      return new Reply(success(data, 'Sign in within 7 days to keep your account.'), {
        cookies: [clearedSessionCookie],
      });
    },
  }),
  route({
    endpoint: 'POST /api/users/me/restore',
    access: 'session',
    isForUnverified: true,
    isForLeaving: true,
    summary: 'Restore your account',
    description:
      'Keeps an account that waits to be deleted. Your shares, feeds, API tokens and apps work again. One that doesn’t wait stays as it is.',
    output: Success(OwnUser),
    auditAction: 'user.return',
    handle: async ({ actor, recorder }) =>
      success(toOwnUser(await keepAccount(actor, recorder), actor.roles), 'Account kept'),
  }),
];
