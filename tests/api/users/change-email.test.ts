import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import type { Answer } from '../../support/service/call.ts';
import { instead } from '../../support/service/interruption.ts';
import { useTable } from '../../support/table/table.ts';
import { changePassword, profile, updateProfile } from '../../support/users/account.ts';
import { login, newEmail, newPerson, password } from '../../support/users/test-users.ts';

useTable();

describe('PUT /api/users/me with a new email address during a concurrent change', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Sends the request and runs a concurrent change after its checks. */
  const changeWhile = (token: string, body: unknown, others: () => Promise<Answer>) => {
    instead(documentClient(), TransactWriteCommand, async (go) => {
      expect((await others()).status).toBe(200);
      return go();
    });
    return updateProfile(token, body);
  };
  const refused = (message: string) => [400, [{ field: 'currentPassword', message }]];
  const told = ({ status, body }: Answer) => [status, body.error.details];

  it('rejects the password if it has changed since', async () => {
    const bob = await newPerson();
    const mallory = (await login(bob.email)).body.token;
    const response = await changeWhile(
      mallory,
      { email: newEmail(), currentPassword: password },
      () => changePassword(bob.token),
    );
    expect(told(response)).toEqual(refused('has just changed; try again'));
    expect((await profile(bob.token)).body.data.email).toBe(bob.email);
  });

  it('requires the password to restore the previous address', async () => {
    const bob = await newPerson();
    const email = newEmail();
    const response = await changeWhile(bob.token, { email: bob.email, name: 'Bob B.' }, () =>
      updateProfile(bob.token, { email, currentPassword: password }),
    );
    expect(told(response)).toEqual(refused('is required to change the email address'));
    expect((await profile(bob.token)).body.data).toMatchObject({ email, name: 'Ann Example' });
  });

  it('succeeds if the password is unchanged', async () => {
    const bob = await newPerson();
    const email = newEmail();
    const response = await changeWhile(bob.token, { email, currentPassword: password }, () =>
      updateProfile(bob.token, { name: 'Bob B.' }),
    );
    expect(response).toMatchObject({ status: 200, body: { data: { email, name: 'Bob B.' } } });
  });
});
