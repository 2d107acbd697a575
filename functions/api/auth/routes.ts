import * as z from 'zod';
import { NewPassword } from '../../../shared/auth/new-password.ts';
import { Password } from '../../../shared/auth/passwords.ts';
import { clearedSessionCookie } from '../../../shared/auth/session-cookie.ts';
import { exampleOwnUser, OwnUser, toOwnUser } from '../../../shared/auth/user.ts';
import { Done, Success, success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { Email, optional } from '../../../shared/input/fields.ts';
import { Name } from '../users/input.ts';
import { loginLimits, registerLimits } from './limits.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { register } from './registration.ts';
import { sessionRoutes } from './session-routes.ts';
import * as sessions from './sessions.ts';
import * as auth from './sign-in.ts';
import { userAccessRoutes } from './user-access-routes.ts';
import { verificationRoutes } from './verification-routes.ts';

const exampleToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
const exampleTokens = { accessToken: exampleToken, refreshToken: exampleToken };

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

const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().positive(),
  user: OwnUser,
});

/** The tokens in both forms (decisions.md#envelopes): under `data`, and `user` and `token` beside it. */
const AuthResponse = Success(Tokens)
  .extend({ accessToken: z.string(), refreshToken: z.string(), token: z.string(), user: OwnUser })
  .meta({
    id: 'AuthResponse',
    examples: [
      {
        success: true,
        data: { ...exampleTokens, tokenType: 'Bearer', expiresIn: 900, user: exampleOwnUser },
        message: 'Signed in',
        ...exampleTokens,
        token: exampleToken,
        user: exampleOwnUser,
      },
    ],
  });

const toBody = async ({ user: stored, session }: auth.SignedIn, message: string) => {
  const { accessToken, refreshToken, expiresIn } = await sessions.createTokens(session);
  const user = toOwnUser(stored);
  const data = { accessToken, refreshToken, tokenType: 'Bearer' as const, expiresIn, user };
  return { ...success(data, message), accessToken, refreshToken, token: accessToken, user };
};

const toAuthResponse = async (signedIn: auth.SignedIn, message: string) =>
  new Reply(await toBody(signedIn, message), {
    cookies: [await sessions.createCookie(signedIn.session)],
  });

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
      FORBIDDEN: 'Registration is closed or requires an invitation.',
      CONFLICT:
        'The email address is already registered. Whoever reads its emails can take the account over by a password reset.',
    },
    limits: registerLimits,
    auditAction: 'user.register',
    handle: async ({ body, client, recorder }) =>
      toAuthResponse(await register(body, client, recorder), 'Welcome'),
  }),
  route({
    endpoint: 'POST /api/auth/login',
    access: 'public',
    summary: 'Sign in',
    description:
      'Returns an access token and a refresh token, and sets the session cookie. Failed attempts are audited and limited per address, per account, and for both together. The limit per account doesn’t block places from which the account has signed in before.',
    body: LoginInput,
    output: AuthResponse,
    errors: { UNAUTHORIZED: 'The email address or password is incorrect.' },
    limits: loginLimits,
    auditAction: 'session.create',
    handle: async ({ body, client, recorder, overLimit }) =>
      toAuthResponse(await auth.login(body, client, recorder, overLimit), 'Signed in'),
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
      toBody(await sessions.rotate(body.refreshToken, recorder), 'Refreshed'),
  }),
  route({
    endpoint: 'POST /api/auth/logout',
    access: 'session',
    isForUnverified: true,
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
    summary: 'Get the current user',
    description: 'Returns the same as `GET /api/users/me`.',
    output: Success(OwnUser),
    versionOf: ({ data }) => data.version,
    handle: async ({ actor }) => success(toOwnUser(actor.user)),
  }),
  ...recoveryRoutes,
  ...verificationRoutes,
  ...sessionRoutes,
  ...userAccessRoutes,
];
