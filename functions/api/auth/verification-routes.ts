import * as z from 'zod';
import { exampleOwnUser, OwnUser, toOwnUser } from '../../../shared/auth/user.ts';
import { Done, Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { cancelEmailChange, sendVerification, verifyEmail } from '../users/account/verification.ts';
import { verificationLimits } from './limits.ts';

const VerifyEmailInput = z.object({ token: z.string().max(256) }).meta({
  id: 'VerifyEmailInput',
  examples: [{ token: '244212480000000.c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I' }],
});

/** The routes for users to prove that an email address is theirs (decisions.md#proven-addresses). */
export const verificationRoutes = [
  route({
    endpoint: 'POST /api/auth/send-verification',
    access: 'session',
    isForUnverified: true,
    summary: 'Send a verification link',
    description:
      'Emails a link to `pendingEmail`, or else to your unverified address. It is valid once, for 24 hours; earlier links end.',
    output: Done,
    errors: {
      CONFLICT: 'Nothing is left to verify, email is off, or the address takes no emails.',
    },
    limits: verificationLimits,
    // It changes nothing itself; using the link is audited.
    auditAction: 'none',
    handle: async ({ actor }) => success({}, `Link sent to ${await sendVerification(actor.user)}`),
  }),
  route({
    endpoint: 'POST /api/auth/verify-email',
    access: 'session',
    isForUnverified: true,
    summary: 'Verify your email address',
    description:
      'Verifies your address, or replaces it by `pendingEmail`, with the token of the link sent to it. The link works only in a session of its account. A replaced address that was verified is sent a link that undoes the change.',
    body: VerifyEmailInput,
    output: Success(OwnUser).meta({
      id: 'VerifiedUser',
      examples: [{ success: true, data: exampleOwnUser, message: 'Email address verified' }],
    }),
    errors: {
      FORBIDDEN: 'The link is for another account.',
      CONFLICT: 'Someone else has registered the address since.',
    },
    auditAction: 'email.verify',
    handle: async ({ actor, body, recorder }) =>
      success(
        toOwnUser(await verifyEmail(actor.user.id, body.token, recorder), actor.roles),
        'Email address verified',
      ),
  }),
  route({
    endpoint: 'DELETE /api/auth/pending-email',
    access: 'session',
    isForUnverified: true,
    summary: 'Cancel your email change',
    description: 'Forgets `pendingEmail` and ends its link. Your address stays as it is.',
    output: Success(OwnUser),
    errors: { NOT_FOUND: 'No change is waiting.' },
    auditAction: 'email.cancel',
    handle: async ({ actor, recorder }) =>
      success(toOwnUser(await cancelEmailChange(actor.user.id, recorder), actor.roles), 'Canceled'),
  }),
];
