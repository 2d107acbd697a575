import { expect } from 'vitest';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { password } from './test-users.ts';

/** The requests of users who delete their own accounts, or keep them. */

type Token = string | undefined;

export const weekMs = 7 * 86_400_000;

export const leave = (
  token: Token,
  body: object = { currentPassword: password },
  client: CallOptions = {},
): Promise<Answer> => call('DELETE /api/users/me', { token, body, ...client });

export const keep = (token: Token): Promise<Answer> =>
  call('POST /api/users/me/restore', { token });

/** Deletes an account like `leave`, successfully, and returns when it is gone (ISO 8601). */
export const leaveNow = async (token: Token): Promise<string> => {
  const { status, body } = await leave(token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.deletesAt;
};
