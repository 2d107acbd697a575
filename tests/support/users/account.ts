import { expect } from 'vitest';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { newVerificationToken } from './links.ts';
import { newEmail, password } from './test-users.ts';

/** The requests of users about their own accounts. */

export const freshPassword = 'battery staple';

type Token = string | undefined;

/** Requests the user of a session or an API token. */
export const me = (token: Token): Promise<Answer> => call('GET /api/auth/me', { token });

export const refresh = (refreshToken: string, client: CallOptions = {}): Promise<Answer> =>
  call('POST /api/auth/refresh', { body: { refreshToken }, ...client });

export const profile = (token: Token): Promise<Answer> => call('GET /api/users/me', { token });

export const updateProfile = (token: Token, body: unknown): Promise<Answer> =>
  call('PUT /api/users/me', { token, body });

export const changeEmail = (
  token: Token,
  email = newEmail(),
  currentPassword = password,
): Promise<Answer> => updateProfile(token, { email, currentPassword });

/** Verifies the address of a user, or confirms the new one, with the token of a link. */
export const verifyEmail = (token: Token, linkToken: unknown): Promise<Answer> =>
  call('POST /api/auth/verify-email', { token, body: { token: linkToken } });

/** Changes the address of a user while email is on, and confirms the new one. */
export const moveEmail = async (token: Token, email = newEmail()): Promise<string> => {
  const asked = await changeEmail(token, email);
  expect(asked.status, JSON.stringify(asked.body)).toBe(200);
  const done = await verifyEmail(token, await newVerificationToken(asked.body.data.id));
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  return email;
};

export const changePassword = (token: Token, body: object = {}): Promise<Answer> =>
  call('PUT /api/auth/password', {
    token,
    body: { currentPassword: password, password: freshPassword, ...body },
  });

/** Sets a new password with the token of a link. */
export const resetPassword = (
  linkToken: unknown,
  body: object = {},
  client: CallOptions = {},
): Promise<Answer> =>
  call('POST /api/auth/reset-password', {
    body: { token: linkToken, password: freshPassword, ...body },
    ...client,
  });

export const forgotPassword = (email: unknown, headers = {}): Promise<Answer> =>
  call('POST /api/auth/forgot-password', { body: { email }, headers });

export const createApiToken = (token: Token, body: object = {}): Promise<Answer> =>
  call('POST /api/auth/tokens', { token, body: { name: 'Nightly script', ...body } });
