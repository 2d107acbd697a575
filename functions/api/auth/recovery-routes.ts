import * as z from 'zod';
import { withNewPassword } from '../../../shared/auth/passwords.ts';
import { Done, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { Email } from '../../../shared/input/fields.ts';
import { enqueue } from '../../../shared/jobs/queue.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { resetPassword } from '../users/account/password-link.ts';
import { resetMail } from '../users/record/jobs.ts';
import { forgotLimits } from './limits.ts';

const ForgotInput = z
  .object({ email: Email })
  .meta({ id: 'ForgotPasswordInput', examples: [{ email: 'ann@example.com' }] });

const ResetInput = withNewPassword({ token: z.string().max(256) }).meta({
  id: 'ResetPasswordInput',
  examples: [
    {
      token: '244212480000000.c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I',
      password: 'battery staple',
    },
  ],
});

/** The routes by which somebody gets in who has no password, or has forgotten it. */
export const recoveryRoutes = [
  route({
    endpoint: 'POST /api/auth/forgot-password',
    access: 'public',
    summary: 'Request a password reset link',
    description: 'Sends an email if the account exists. The response is the same for any address.',
    body: ForgotInput,
    output: Done,
    limits: forgotLimits,
    // It changes nothing itself: what is set by the link that the job sends has an entry.
    auditAction: 'none',
    handle: async ({ body }) => {
      if (getSetting('MAIL_FROM') === undefined) {
        return success({}, 'This service sends no mail: ask whoever runs it for a link');
      }
      // The address isn't looked up here, so that known and unknown ones take the same time.
      await enqueue(resetMail, { email: body.email });
      return success({}, 'If the address has an account, a link is on its way to it');
    },
  }),
  route({
    endpoint: 'POST /api/auth/reset-password',
    access: 'public',
    summary: 'Reset a password',
    description:
      'Sets a new password with the token of a reset link or an invitation. Ends all sessions and API tokens of the account. Each token can be used once.',
    body: ResetInput,
    output: Done,
    auditAction: 'password.reset',
    handle: async ({ body, audit }) => {
      await resetPassword(body.token, body.password, ['reset', 'invitation'], audit);
      return success({}, 'The password is set: sign in with it');
    },
  }),
];
