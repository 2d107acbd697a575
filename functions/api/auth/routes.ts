import * as z from 'zod';
import { NewPassword } from '../../../shared/auth/new-password.ts';
import { Password } from '../../../shared/auth/passwords.ts';
import { clearedSessionCookie } from '../../../shared/auth/session-cookie.ts';
import { OwnUser, toOwnUser } from '../../../shared/auth/user.ts';
import { assertPasswordSignIn } from '../../../shared/auth/ways-in.ts';
import { Done, Success, success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { Email, optional } from '../../../shared/input/fields.ts';
import { Name } from '../users/input.ts';
import {
  AuthResponse,
  SignInResponse,
  toAuthBody,
  toAuthResponse,
  toSignInResponse,
} from './auth-response.ts';
import { emailSignInRoutes } from './email-sign-in-routes.ts';
import { factorRoutes } from './factor-routes.ts';
import { secondStepLimits } from './factors/limits.ts';
import { Code } from './factors/schemas.ts';
import { createDeviceCookie, readDeviceCookie } from './factors/trusted-device.ts';
import { identityRoutes } from './identity-routes.ts';
import { loginLimits, registerLimits } from './limits.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { proveFactor } from './passkeys/prove-factor.ts';
import { PasskeyProof } from './passkeys/schemas.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { completeSignIn } from './second-step-sign-in.ts';
import { sessionRoutes } from './session-routes.ts';
import * as sessions from './sessions.ts';
import * as auth from './sign-in.ts';
import { userAccessRoutes } from './user-access-routes.ts';
import { verificationRoutes } from './verification-routes.ts';

const exampleToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

const RegisterInput = z
  .object({
    email: Email,
    name: Name,
    password: NewPassword,
    confirmPassword: z.string(),
    token: optional(z.string().max(256)).meta({
      description: 'The token of an invitation. Required if registration requires an invitation.',
    }),
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    message: 'must equal password',
    when: ({ value }) => hasBothPasswords(value),
  })
  .meta({
    id: 'RegisterInput',
    examples: [
      {
        email: 'ann@example.com',
        name: 'Ann Example',
        password: 'correct horse',
        confirmPassword: 'correct horse',
      },
    ],
  });

/** Passwords are compared even if another field is invalid, so that one response names every problem. */
const hasBothPasswords = (value: unknown): boolean => {
  const { password, confirmPassword } = (value ?? {}) as Record<string, unknown>;
  return typeof password === 'string' && typeof confirmPassword === 'string';
};

const LoginInput = z.object({ email: Email, password: Password }).meta({
  id: 'LoginInput',
  examples: [{ email: 'ann@example.com', password: 'correct horse' }],
});

const RefreshInput = z.object({ refreshToken: z.string().min(1, 'must not be empty') }).meta({
  id: 'RefreshInput',
  examples: [{ refreshToken: exampleToken }],
});

const LogoutInput = z
  .object({ scope: optional(z.enum(['session', 'all'])) })
  .meta({ id: 'LogoutInput', examples: [{ scope: 'all' }] });

const MfaInput = z
  .object({
    mfaToken: z.string().max(2_048).meta({ description: 'What the login returned.' }),
    code: Code.nullish(),
    passkey: PasskeyProof.nullish().meta({
      description:
        'In place of a code. The options are those of `POST /api/auth/login/passkey/options`.',
    }),
    remember: optional(z.boolean()).meta({
      description:
        'Sets a cookie by which this device isn’t asked for a second factor for 30 days.',
    }),
  })
  .meta({ id: 'MfaInput', examples: [{ mfaToken: exampleToken, code: '123456' }] });

export const routes = [
  route({
    endpoint: 'POST /api/auth/register',
    access: 'public',
    summary: 'Create an account',
    description:
      'Creates an account with the role `user` and signs it in. The setting NEW_USER_PERMISSIONS can grant more permissions. Depending on the setting REGISTRATION, registration is open, requires an invitation, or is closed; ALLOWED_DOMAINS can limit the addresses. Where email is on, a link is sent that verifies the address.',
    status: 201,
    body: RegisterInput,
    output: AuthResponse,
    errors: {
      FORBIDDEN:
        'Registration is closed or requires an invitation, or the setting PASSWORD_SIGN_IN is off.',
      CONFLICT:
        'The email address is already registered. Whoever reads its emails can take the account over by a password reset.',
    },
    limits: registerLimits,
    auditAction: 'user.register',
    handle: async ({ body, client, recorder }) => {
      assertPasswordSignIn();
      // Loaded with the first account that is created: signing in needs none of it.
      const { register } = await import('./registration.ts');
      return toAuthResponse(await register(body, client, recorder), 'Welcome');
    },
  }),
  route({
    endpoint: 'POST /api/auth/login',
    access: 'public',
    summary: 'Sign in',
    description:
      'Returns an access token and a refresh token, and sets the session cookie; or, where the user has a second factor, the token for `POST /api/auth/mfa`. Failed attempts are audited and limited per address, per account, and for both together. The limit per account doesn’t block places from which the account has signed in before.',
    body: LoginInput,
    output: SignInResponse,
    errors: {
      UNAUTHORIZED: 'The email address or password is incorrect.',
      FORBIDDEN: 'The setting PASSWORD_SIGN_IN is off.',
    },
    limits: loginLimits,
    auditAction: 'session.create',
    handle: async ({ body, cookies, client, recorder, overLimit }) => {
      assertPasswordSignIn();
      const input = { ...body, device: readDeviceCookie(cookies) };
      return toSignInResponse(await auth.login(input, client, recorder, overLimit));
    },
  }),
  route({
    endpoint: 'POST /api/auth/mfa',
    access: 'public',
    summary: 'Sign in by a second factor',
    description:
      'Completes a sign-in whose password was right. Each code works once. Wrong ones are audited, limited per user, and told to the user.',
    body: MfaInput,
    output: AuthResponse,
    errors: {
      UNAUTHORIZED: 'The `mfaToken` is over 5 minutes old, or the account has changed since.',
    },
    limits: secondStepLimits,
    auditAction: 'session.create',
    handle: async ({ body, client, recorder }) => {
      const signedIn = await completeSignIn(
        body.mfaToken,
        (found) => proveFactor(body, found, 'second', recorder),
        client,
        recorder,
      );
      const device = body.remember ? [await createDeviceCookie(signedIn.user)] : [];
      return toAuthResponse(signedIn, 'Signed in', device);
    },
  }),
  route({
    endpoint: 'POST /api/auth/refresh',
    access: 'public',
    summary: 'Refresh an access token',
    description:
      'Returns new tokens and ends the refresh token that was sent. If the response is lost, send the same token again: it returns the same refresh token for 10 seconds, and up to 24 hours while none of the new tokens has been used. Otherwise using it again ends its session; only that is audited.',
    body: RefreshInput,
    output: AuthResponse,
    errors: { UNAUTHORIZED: 'The refresh token is invalid, used or expired.' },
    // Only the reuse of a refresh token is audited.
    auditAction: 'session.reuse',
    handle: async ({ body, recorder }) =>
      // No cookie: its use doesn't show that a refresh token was stolen (decisions.md#sessions).
      toAuthBody(await sessions.rotate(body.refreshToken, recorder), 'Refreshed'),
  }),
  route({
    endpoint: 'POST /api/auth/logout',
    access: 'session',
    isForUnverified: true,
    isForLeaving: true,
    summary: 'Sign out',
    description:
      'Ends this session, or with `scope: "all"` all of your sessions. API tokens stay valid.',
    body: LogoutInput,
    output: Done,
    auditAction: 'session.end',
    handle: async ({ actor, body, recorder }) => {
      await (body.scope === 'all'
        ? sessions.endAll(actor.user, recorder, 'device')
        : sessions.end(actor.user.id, actor.sessionId, recorder));
      return new Reply(success({}, 'Signed out'), { cookies: [clearedSessionCookie] });
    },
  }),
  route({
    endpoint: 'GET /api/auth/me',
    access: 'signed-in',
    scope: 'profile:view',
    isForUnverified: true,
    isForLeaving: true,
    summary: 'Get the current user',
    description: 'Returns the same as `GET /api/users/me`.',
    output: Success(OwnUser),
    versionOf: ({ data }) => data.version,
    handle: async ({ actor }) => success(toOwnUser(actor.user, actor.roles)),
  }),
  ...emailSignInRoutes,
  ...recoveryRoutes,
  ...verificationRoutes,
  ...sessionRoutes,
  ...factorRoutes,
  ...passkeyRoutes,
  ...identityRoutes,
  ...userAccessRoutes,
];
