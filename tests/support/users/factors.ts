import { expect } from 'vitest';
import type { Role } from '../../../shared/permissions/permissions.ts';
import { keepSecret } from '../run/secrets.ts';
import { pass } from '../run/virtual-time.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { codeOf, stepMs } from './authenticator.ts';
import { login, newUserOf, type Person } from './test-users.ts';

/** The requests of users about their second factors. Their codes need a clock that the test moves. */

type Token = string | undefined;

/** Returns the code of the next time step, which no request has used. Moves the clock. */
export const nextCode = (secret: string): string => {
  pass(stepMs);
  return codeOf(secret);
};

export const readFactors = (token: Token): Promise<Answer> =>
  call('GET /api/auth/factors', { token });

export const beginTotp = (token: Token, body: object = {}): Promise<Answer> =>
  call('POST /api/auth/totp', { token, body });

export const confirmTotp = (token: Token, code: unknown): Promise<Answer> =>
  call('POST /api/auth/totp/confirm', { token, body: { code } });

export const removeTotp = (token: Token): Promise<Answer> =>
  call('DELETE /api/auth/totp', { token });

export const renewCodes = (token: Token): Promise<Answer> =>
  call('POST /api/auth/recovery-codes', { token });

export const reauthenticate = (
  token: Token,
  body: object,
  client: CallOptions = {},
): Promise<Answer> => call('POST /api/auth/reauthenticate', { token, body, ...client });

/** A user with an authenticator app. */
export interface WithTotp extends Person {
  /** The key of the app, in Base32. */
  readonly secret: string;
  /** The recovery codes. */
  readonly codes: readonly string[];
}

/** Sets up an authenticator app for a user who has signed in within 15 minutes. */
export const enrolTotp = async <User extends Person>(user: User): Promise<User & WithTotp> => {
  const begun = await beginTotp(user.token);
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  const { secret } = begun.body.data;
  const done = await confirmTotp(user.token, codeOf(secret));
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  const codes: string[] = done.body.data.codes ?? [];
  for (const code of codes) keepSecret('recovery code', code);
  return { ...user, secret, codes };
};

/** Creates a user with an authenticator app. */
export const newTotpUser = async (role: Role = 'user', fields = {}): Promise<WithTotp> =>
  enrolTotp(await newUserOf(role, fields));

/** Enters the right password, and returns the token of the second step. */
export const firstStep = async (email: string, ...client: [CallOptions?]): Promise<string> => {
  const { status, body } = await login(email, undefined, ...client);
  expect([status, body.data.mfaRequired]).toEqual([200, true]);
  return body.data.mfaToken;
};

export const secondStep = (
  mfaToken: unknown,
  code: unknown,
  { body, ...client }: CallOptions & { readonly body?: object } = {},
): Promise<Answer> => call('POST /api/auth/mfa', { body: { mfaToken, code, ...body }, ...client });

/** Signs in by password and the next code, and returns the answer. Moves the clock. */
export const signInBoth = async (
  { email, secret }: Pick<WithTotp, 'email' | 'secret'>,
  options: CallOptions & { readonly body?: object } = {},
): Promise<Answer> => {
  const { body: _, ...client } = options;
  const mfaToken = await firstStep(email, client);
  return secondStep(mfaToken, nextCode(secret), options);
};
