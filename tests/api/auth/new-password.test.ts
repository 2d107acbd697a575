import { beforeEach, describe, expect, it } from 'vitest';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { changePassword, resetPassword } from '../../support/users/account.ts';
import { newInvitationToken, newResetToken } from '../../support/users/links.ts';
import {
  forgetSignIns,
  login,
  newEmail,
  newInvited,
  newPerson,
  newUserOf,
  register,
} from '../../support/users/test-users.ts';

useTable();
beforeEach(forgetSignIns);

const known = 'Trustno1';
const refusal = {
  field: 'password',
  message: 'must not be one of the 10,000 best-known passwords, which attackers try first',
};

const form = (path: 'reset' | 'invite', token: string) =>
  call(`POST /${path}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ token, password: known, confirmPassword: known })),
  });

/** All ways to set a password, each with a known one. */
const ways = {
  registration: () => register(newEmail(), { password: known, confirmPassword: known }),
  'a change': async () => changePassword((await newPerson()).token, { password: known }),
  'a reset': async () =>
    resetPassword(await newResetToken((await newPerson()).id), { password: known }),
  'a new user': async () =>
    call('POST /api/users', {
      token: (await newUserOf('admin')).token,
      body: { email: newEmail(), name: 'Bob', password: known },
    }),
};

describe('a new password', () => {
  it.each(Object.entries(ways))(
    'by %s is none of the best-known ones, in any case',
    async (_, set) => {
      const { status, body } = await set();
      expect([status, body.error]).toMatchObject([
        400,
        { code: 'VALIDATION_ERROR', details: [refusal] },
      ]);
    },
  );

  it('is told with all other problems of a registration', async () => {
    const { body } = await register('nobody', { password: known, confirmPassword: 'other' });
    expect(body.error.details).toEqual([
      { field: 'email', message: 'must be a valid email address' },
      refusal,
      { field: 'confirmPassword', message: 'must equal password' },
    ]);
  });

  it.each([
    ['reset', async () => newResetToken((await newPerson()).id)],
    ['invite', async () => newInvitationToken((await newInvited()).id)],
  ] as const)(
    'is asked for again on the page %s, whose link stays valid',
    async (path, newToken) => {
      const token = await newToken();
      const { status, body } = await form(path, token);
      expect(status).toBe(400);
      expect(body).toContain(`The password ${refusal.message}.`);
      expect((await resetPassword(token)).status).toBe(200);
    },
  );

  it('of before still signs in', async () => {
    const { email } = await newInvited({ passwordHash: await hashPassword(known) });
    expect((await login(email, known)).status).toBe(200);
    expect((await login(newEmail(), known)).status).toBe(401);
  });
});
