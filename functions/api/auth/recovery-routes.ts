import * as z from 'zod';
import { withNewPassword } from '../../../shared/auth/new-password.ts';
import { assertPasswordSignIn } from '../../../shared/auth/ways-in.ts';
import { Done, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { takeUnseen } from '../../../shared/http/unseen-limit.ts';
import { Email } from '../../../shared/input/fields.ts';
import { enqueue } from '../../../shared/jobs/queue.ts';
import { isMailOn } from '../../../shared/runtime/settings.ts';
import { resetPassword } from '../users/account/password-link.ts';
import { passwordResetEmail } from '../users/record/jobs.ts';
import { forgotLimits, resetEmailLimit } from './limits.ts';

const ForgotPasswordInput = z
  .object({ email: Email })
  .meta({ id: 'ForgotPasswordInput', examples: [{ email: 'ann@example.com' }] });

const ResetPasswordInput = withNewPassword({ token: z.string().max(256) }).meta({
  id: 'ResetPasswordInput',
  examples: [
    {
      token: '244212480000000.c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I',
      password: 'battery staple',
    },
  ],
});

/** The routes for users who have forgotten their password or have none yet. */
export const recoveryRoutes = [
  route({
    endpoint: 'POST /api/auth/forgot-password',
    access: 'public',
    summary: 'Request a password reset link',
    description:
      'Sends an email if the account exists, up to 5 an hour. The response is the same for any address.',
    body: ForgotPasswordInput,
    output: Done,
    errors: { FORBIDDEN: 'The setting PASSWORD_SIGN_IN is off.' },
    limits: forgotLimits,
    // It changes nothing itself; using the link is audited.
    auditAction: 'none',
    handle: async ({ body }) => {
      assertPasswordSignIn();
      if (!isMailOn()) {
        return success({}, 'Email is disabled. Ask an administrator for a link.');
      }
      const isSent = await takeUnseen(resetEmailLimit, body.email);
      // A lookup here, or no job, would make addresses differ in time.
      await enqueue(passwordResetEmail, isSent ? body : { ...body, isExcess: true });
      return success({}, 'If the account exists, a link has been sent.');
    },
  }),
  route({
    endpoint: 'POST /api/auth/reset-password',
    access: 'public',
    summary: 'Reset a password',
    description:
      'Sets a new password with the token of a reset link or an invitation. Ends all sessions and API tokens of the account. Each token can be used once.',
    body: ResetPasswordInput,
    output: Done,
    errors: {
      FORBIDDEN:
        'The setting PASSWORD_SIGN_IN is off, and the link isn’t one of `npm run admin -- --reset`.',
    },
    auditAction: 'password.reset',
    handle: async ({ body, client, recorder }) => {
      await resetPassword(body.token, body.password, ['reset', 'invitation'], client, recorder);
      return success({}, 'Password changed. Sign in.');
    },
  }),
];
