import * as z from 'zod';
import type { Change } from '../../../shared/audit/audit-log.ts';
import { withNewPassword } from '../../../shared/auth/passwords.ts';
import { Done, success } from '../../../shared/http/envelope.ts';
import type { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { Email } from '../../../shared/input/fields.ts';
import { enqueue } from '../../../shared/jobs/queue.ts';
import { setting } from '../../../shared/runtime/settings.ts';
import { failurePageOf, page, TokenQuery } from '../../web/password/link-pages.ts';
import { passwordPage, passwordSetPage } from '../../web/password/password-pages.ts';
import { type LinkKind, readToken, resetPassword } from '../users/account/password-link.ts';
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

const NewPassword = withNewPassword({});

const showForm = async (kind: LinkKind, token: string): Promise<Reply<string>> => {
  const { user } = await readToken(token, [kind]);
  return page(passwordPage(kind, { token, email: user.email }));
};

/** A form names every field; what it must be is told on the form. */
const FormInput = z.object({
  token: z.string().max(256).default(''),
  password: z.string().default(''),
  confirmPassword: z.string().default(''),
});

const takeForm = async (
  kind: LinkKind,
  { token, ...passwords }: z.output<typeof FormInput>,
  change: Change,
): Promise<Reply<string>> => {
  const { user } = await readToken(token, [kind]);
  const input = NewPassword.safeParse(passwords);
  if (!input.success) {
    const [issue] = input.error.issues;
    const wrong =
      issue?.path[0] === 'password'
        ? `The password ${issue.message}.`
        : 'The two passwords are not the same.';
    return page(passwordPage(kind, { token, email: user.email, wrong }), 400);
  }
  await resetPassword(token, input.data.password, [kind], change);
  return page(passwordSetPage());
};

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
    audit: 'none',
    handle: async ({ body }) => {
      if (setting('MAIL_FROM') === undefined) {
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
    audit: 'password.reset',
    handle: async ({ body, change }) => {
      await resetPassword(body.token, body.password, ['reset', 'invitation'], change);
      return success({}, 'The password is set: sign in with it');
    },
  }),
  route({
    endpoint: 'GET /reset',
    access: 'public',
    summary: 'Show the password reset page',
    description: 'The page that a password reset link leads to.',
    query: TokenQuery,
    produces: 'html',
    output: z.string(),
    failurePage: failurePageOf('reset'),
    handle: async ({ query }) => showForm('reset', query.token),
  }),
  route({
    endpoint: 'POST /reset',
    access: 'public',
    summary: 'Submit the password reset form',
    description: 'Sets the new password. Ends all sessions and API tokens of the account.',
    body: FormInput,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    failurePage: failurePageOf('reset'),
    audit: 'password.reset',
    handle: async ({ body, change }) => takeForm('reset', body, change),
  }),
  route({
    endpoint: 'GET /invite',
    access: 'public',
    summary: 'Show the invitation page',
    description: 'The page that an invitation leads to. The user sets a first password there.',
    query: TokenQuery,
    produces: 'html',
    output: z.string(),
    failurePage: failurePageOf('invitation'),
    handle: async ({ query }) => showForm('invitation', query.token),
  }),
  route({
    endpoint: 'POST /invite',
    access: 'public',
    summary: 'Submit the invitation form',
    description: 'Sets the first password of the invited user.',
    body: FormInput,
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    failurePage: failurePageOf('invitation'),
    audit: 'invitation.accept',
    handle: async ({ body, change }) => takeForm('invitation', body, change),
  }),
];
