import * as z from 'zod';
import { readRolesOf } from '../../../shared/auth/custom-roles.ts';
import { exampleOwnUser, OwnUser, toOwnUser } from '../../../shared/auth/user.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { exampleMfaRequired, MfaRequired } from './factors/schemas.ts';
import type { SecondStep } from './factors/second-step.ts';
import * as sessions from './sessions.ts';
import type { SignedIn } from './sign-in.ts';

const exampleToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
const exampleTokens = { accessToken: exampleToken, refreshToken: exampleToken };

const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().positive(),
  user: OwnUser,
  mustEnrol: z.literal(true).optional().meta({
    description:
      'Present if your role requires a second factor and you have none: until you set one up, everything else gets the error `ENROLMENT_REQUIRED`.',
  }),
});

const exampleSignIn = {
  success: true,
  data: { ...exampleTokens, tokenType: 'Bearer' as const, expiresIn: 900, user: exampleOwnUser },
  message: 'Signed in',
  ...exampleTokens,
  token: exampleToken,
  user: exampleOwnUser,
};

/** The tokens in both forms (decisions.md#envelopes): under `data`, and `user` and `token` beside it. */
export const AuthResponse = Success(Tokens)
  .extend({ accessToken: z.string(), refreshToken: z.string(), token: z.string(), user: OwnUser })
  .meta({ id: 'AuthResponse', examples: [exampleSignIn] });

/**
 * What a right password or code gets: tokens, or what a second factor is proven with. Tokens are the last, because generators of
 * clients that merge the members of a union keep the fields of that one.
 */
export const SignInResponse = z
  .union([MfaRequired, AuthResponse])
  .meta({ id: 'SignInResponse', examples: [exampleSignIn, exampleMfaRequired] });

/** Converts a sign-in for API responses. */
export const toAuthBody = async ({ user: stored, session }: SignedIn, message: string) => {
  const [{ accessToken, refreshToken, expiresIn }, roles] = await Promise.all([
    sessions.createTokens(session, stored),
    readRolesOf([stored]),
  ]);
  const user = toOwnUser(stored, roles);
  const data = {
    ...{ accessToken, refreshToken, tokenType: 'Bearer' as const, expiresIn, user },
    ...(session.mustEnrol && { mustEnrol: session.mustEnrol }),
  };
  return { ...success(data, message), accessToken, refreshToken, token: accessToken, user };
};

/** Creates the response to a sign-in, which sets the session cookie and others. */
export const toAuthResponse = async (
  signedIn: SignedIn,
  message: string,
  otherCookies: readonly string[] = [],
) =>
  new Reply(await toAuthBody(signedIn, message), {
    cookies: [await sessions.createCookie(signedIn.session, signedIn.user), ...otherCookies],
  });

/** Creates the response to what signs in first: the tokens, or, where the user has a second factor, what completes the sign-in. */
export const toSignInResponse = async (result: SignedIn | SecondStep) => {
  if ('session' in result) return toAuthResponse(result, 'Signed in');
  const { mfaToken, methods } = result;
  return success(
    { mfaRequired: true as const, mfaToken, methods: [...methods] },
    'Confirm it’s you',
  );
};
