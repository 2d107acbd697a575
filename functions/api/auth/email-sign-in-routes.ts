import * as z from 'zod';
import { assertEmailSignIn } from '../../../shared/auth/ways-in.ts';
import { Done, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { Email } from '../../../shared/input/fields.ts';
import { enqueue } from '../../../shared/jobs/queue.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { createSignInCode } from '../users/account/sign-in-code.ts';
import { signInCodeEmail } from '../users/record/jobs.ts';
import { SignInResponse, toSignInResponse } from './auth-response.ts';
import { readDeviceCookie } from './factors/trusted-device.ts';
import { emailCodeLimits, emailCodeTryLimits } from './limits.ts';

const EmailCodeInput = z
  .object({ email: Email })
  .meta({ id: 'EmailCodeInput', examples: [{ email: 'ann@example.com' }] });

const EmailSignInInput = z
  .object({
    email: Email.nullish(),
    code: z.string().max(32).nullish().meta({
      description: 'The six digits of the newest email. Spaces and dashes don’t count.',
    }),
    token: z.string().max(1_024).nullish().meta({
      description:
        'In place of `email` and `code`: what the link in the email has behind `token=`.',
    }),
  })
  .meta({ id: 'EmailSignInInput', examples: [{ email: 'ann@example.com', code: '482915' }] });

const isOff = { FORBIDDEN: 'The setting EMAIL_SIGN_IN is off.' };

/** The routes by which users sign in by a code or a link in an email. */
export const emailSignInRoutes = [
  route({
    endpoint: 'POST /api/auth/login/email',
    access: 'public',
    summary: 'Request a sign-in code',
    description:
      'Emails six digits and a link that sign in, for 10 minutes and once, if the account exists: 3 an hour for it and a network, 10 a day for it. A new one ends the one before; within a minute of it, nothing is sent. The response is the same for any address.',
    body: EmailCodeInput,
    output: Done,
    errors: isOff,
    limits: emailCodeLimits,
    // It changes nothing itself; using the code is audited.
    auditAction: 'none',
    handle: async ({ body, client }) => {
      assertEmailSignIn();
      // A lookup here, or no job, would make addresses differ in time.
      const code = await createSignInCode(body.email);
      await enqueue(signInCodeEmail, { ...code, network: client.network });
      return success({}, 'If the account exists, a code has been sent. It works for 10 minutes.');
    },
  }),
  route({
    endpoint: 'POST /api/auth/login/email/code',
    access: 'public',
    summary: 'Sign in by code or link',
    description:
      'Signs in as `POST /api/auth/login` does, by the code of an email or the link beside it. A code has 5 tries, whoever tries; failed ones are audited. An address that wasn’t verified is verified by that, which ends all that was there before: the password, sessions, tokens, second factors and connected accounts.',
    body: EmailSignInInput,
    output: SignInResponse,
    errors: isOff,
    limits: emailCodeTryLimits,
    auditAction: 'session.create',
    handle: async ({ body: { email, code, token }, cookies, client, recorder }) => {
      assertEmailSignIn();
      if (token == null && email == null) throw invalidField('email', 'is required');
      if (token == null && code == null) throw invalidField('code', 'is required');
      const proof = token == null ? { email: email ?? '', code: code ?? '' } : { token };
      const { signInByEmail } = await import('./email-sign-in.ts');
      const result = await signInByEmail(proof, readDeviceCookie(cookies), client, recorder);
      return toSignInResponse(result);
    },
  }),
];
