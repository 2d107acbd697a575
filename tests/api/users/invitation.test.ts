import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createInvitationLink } from '../../../functions/api/users/account/password-link.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { instead } from '../../support/service/interruption.ts';
import { queuedWork, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { createApiToken, resetPassword } from '../../support/users/account.ts';
import {
  changeUser,
  createUser,
  inviteUser,
  removeUser,
} from '../../support/users/administration.ts';
import { newResetToken, tokenOfLink } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newUserOf,
  type Person,
  password,
  reading,
} from '../../support/users/test-users.ts';

useTable();
useJobs();
useMail();
beforeEach(() => {
  process.env['MAIL_FROM'] = 'handbill@example.com';
});
afterEach(() => vi.useRealTimers());

const turnMailOff = () => {
  delete process.env['MAIL_FROM'];
};
const reset = async (token: string) => (await resetPassword(token, { password })).status;
const statusOfLogin = async (email: string) => (await login(email)).status;
const newestLink = async (email: string): Promise<string> => {
  await runMinute();
  await runJobs();
  const mail = (await mailsTo(email)).at(-1);
  return mail ? linkOf(mail) : '';
};

describe('POST /api/users without a password', () => {
  it('sends the invitation to the user and no link to the creator', async () => {
    const admin = await newUserOf('admin');
    const { status, body } = await createUser(admin);
    expect([status, body.message]).toEqual([201, 'Created and invitation sent']);
    expect(Object.keys(body).toSorted()).toEqual(['data', 'message', 'success']);
    const { id, email } = body.data;
    const [stored] = (await itemsOf(`USER#${id}`)).filter(({ sk }) => sk === 'USER');
    expect(stored).not.toHaveProperty('passwordTokenHash');
    expect(await statusOfLogin(email)).toBe(401);
    const link = await newestLink(email);
    expect(link).toMatch(/^https:\/\/handbill\.test\/invite\?token=/);
    expect([await reset(tokenOfLink(link)), await statusOfLogin(email)]).toEqual([200, 200]);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('returns the link to the creator while email is disabled', async () => {
    turnMailOff();
    const admin = await newUserOf('admin');
    const evil = {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      origin: 'https://evil.test',
    };
    const { body } = await createUser(admin, {}, evil);
    expect([body.message, body.link]).toEqual([
      'Created',
      expect.stringMatching(/^https:\/\/handbill\.test\/invite\?token=\d+\.[\w-]{43}$/),
    ]);
    expect([await reset(tokenOfLink(body.link)), await statusOfLogin(body.data.email)]).toEqual([
      200, 200,
    ]);
    expect(await queuedWork()).toEqual([]);
  });

  it.each([{ password }, { status: 'inactive' }, { status: 'suspended' }])(
    'sends no invitation with %j, whether email is enabled or not',
    async (fields) => {
      const admin = await newUserOf('admin');
      const mailed = await createUser(admin, fields);
      turnMailOff();
      const handed = await createUser(admin, fields);
      for (const { status, body } of [mailed, handed]) {
        expect([status, body.message, body.link]).toEqual([201, 'Created', undefined]);
      }
      expect(await queuedWork()).toEqual([]);
    },
  );
});

describe('an invitation email', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const leftJobs = async () =>
    (await itemsOf('OUTBOX')).filter(({ message }) => String(message).includes('invitation-email'));
  /** Makes the next transaction fail. */
  const failNext = () =>
    instead(documentClient(), TransactWriteCommand, () => Promise.reject(new Error('It failed')));

  it('is sent only if the user is created', async () => {
    const admin = await newUserOf('admin');
    failNext();
    const email = newEmail();
    expect((await createUser(admin, { email })).status).toBe(500);
    expect([await leftJobs(), await queuedWork()]).toEqual([[], []]);
    expect((await createUser(admin, { email })).status).toBe(201);
    expect(await leftJobs()).toHaveLength(1);
    await newestLink(email);
    expect([await leftJobs(), (await mailsTo(email)).length]).toEqual([[], 1]);
  });

  it('is sent again only if its audit entry is stored', async () => {
    const admin = await newUserOf('admin');
    const { id, email } = (await createUser(admin)).body.data;
    await newestLink(email);
    failNext();
    expect((await inviteUser(admin, id)).status).toBe(500);
    expect([await leftJobs(), await queuedWork()]).toEqual([[], []]);
    expect((await inviteUser(admin, id)).status).toBe(200);
    expect(await leftJobs()).toHaveLength(1);
    await newestLink(email);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  it('is not sent again to a user deactivated since', async () => {
    const root = await newUserOf('super_admin');
    const { id } = (await createUser(root)).body.data;
    await runMinute();
    instead(documentClient(), TransactWriteCommand, async (go) => {
      expect((await changeUser(root, id, { status: 'inactive' })).status).toBe(200);
      return go();
    });
    const { status, body } = await inviteUser(root, id);
    expect([status, body.error.message]).toEqual([409, 'This user is not active.']);
    expect(await leftJobs()).toEqual([]);
  });
});

describe('POST /api/users/{id}/invitation', () => {
  it('sends a new invitation and ends the previous one', async () => {
    const admin = await newUserOf('admin');
    const { id, email } = (await createUser(admin)).body.data;
    const first = await newestLink(email);
    const { status, body } = await inviteUser(admin, id);
    expect([status, body]).toEqual([200, { success: true, data: {}, message: 'Invitation sent' }]);
    const second = await newestLink(email);
    expect(await mailsTo(email)).toHaveLength(2);
    expect([await reset(tokenOfLink(first)), await reset(tokenOfLink(second))]).toEqual([400, 200]);
  });

  it('returns the link while email is disabled', async () => {
    turnMailOff();
    const admin = await newUserOf('admin', { extraPermissions: reading });
    const { data, link } = (await createUser(admin)).body;
    const { body } = await inviteUser(admin, data.id);
    expect(body).toEqual({
      success: true,
      data: {},
      message: 'Pass the link on to the user.',
      link: expect.stringMatching(/^https:\/\/handbill\.test\/invite\?token=/),
    });
    expect([await reset(tokenOfLink(link)), await reset(tokenOfLink(body.link))]).toEqual([
      400, 200,
    ]);
  });

  it('rejects a user who has a password or is not active', async () => {
    const admin = await newUserOf('admin');
    const bob = await newUserOf('user');
    const idle = (await createUser(admin, { status: 'inactive' })).body.data;
    const responses = [];
    for (const id of [bob.id, idle.id]) {
      const { status, body } = await inviteUser(admin, id);
      responses.push([status, body.error.code, body.error.message]);
    }
    expect(responses).toEqual([
      [409, 'CONFLICT', 'This user has already set a password.'],
      [409, 'CONFLICT', 'This user is not active.'],
    ]);
    expect(await queuedWork()).toEqual([]);
  });

  it('returns 404 for a malformed or unknown id', async () => {
    const admin = await newUserOf('admin');
    for (const id of ['x', '0', '1', '-1']) expect((await inviteUser(admin, id)).status).toBe(404);
  });

  it('requires users:create, all permissions of the user and, for a link, those to read all records', async () => {
    turnMailOff();
    const root = await newUserOf('super_admin');
    const admin = await newUserOf('admin', { extraPermissions: reading });
    const updater = await newUserOf('user', { extraPermissions: ['users:update', ...reading] });
    const creator = await newUserOf('user', { extraPermissions: ['users:create', ...reading] });
    const narrow = await newUserOf('admin');
    const made = async (fields: Record<string, unknown>) =>
      (await createUser(root, fields)).body.data.id as number;
    const plain = await made({});
    const mighty = await made({ permissions: ['*'] });
    const boss = await made({ role: 'super_admin' });
    const statusOf = async (actor: Person, id: number) => (await inviteUser(actor, id)).status;
    expect([
      await statusOf(updater, plain),
      await statusOf(creator, plain),
      await statusOf(creator, mighty),
      await statusOf(narrow, plain),
      await statusOf(admin, mighty),
      await statusOf(admin, boss),
      await statusOf(root, mighty),
      await statusOf(root, boss),
    ]).toEqual([403, 200, 403, 403, 403, 403, 200, 200]);
  });
});

describe('an invitation', () => {
  const newInvited = async () => {
    turnMailOff();
    const admin = await newUserOf('admin', { extraPermissions: reading });
    const { data, link } = (await createUser(admin)).body;
    return { admin, id: data.id as number, email: data.email as string, token: tokenOfLink(link) };
  };

  it('is not created for a user with a password, and ends when one is set', async () => {
    const { id, token } = await newInvited();
    const byReset = await newResetToken(id);
    expect(await reset(token)).toBe(400);
    expect(await reset(byReset)).toBe(200);
    expect(await createInvitationLink(id)).toBeUndefined();
  });

  it('ends when the address changes', async () => {
    const { admin, id, token } = await newInvited();
    expect((await changeUser(admin, id, { email: newEmail() })).status).toBe(200);
    expect(await reset(token)).toBe(400);
    expect(await reset(tokenOfLink((await inviteUser(admin, id)).body.link))).toBe(200);
  });

  it('does not restore a deleted user', async () => {
    const { admin, id, token } = await newInvited();
    await removeUser(admin, id);
    expect(await reset(token)).toBe(400);
    expect(await itemsOf(`USER#${id}`)).toEqual([]);
  });
});

describe('the email address of another user', () => {
  it('can be changed only by a caller who has all permissions of the account', async () => {
    const root = await newUserOf('super_admin');
    const admin = await newUserOf('admin', { extraPermissions: reading });
    const narrow = await newUserOf('admin');
    const helper = await newUserOf('user', {
      extraPermissions: ['users:update', 'audit:view', ...reading],
    });
    const withExtras = (extraPermissions: string[]) => newUserOf('user', { extraPermissions });
    const attempts = [
      [admin, await withExtras(['*']), 403],
      [admin, await withExtras(['sales:view']), 403],
      [admin, await withExtras(['documents:manage']), 200],
      [admin, await newUserOf('guest', { extraPermissions: [] }), 403],
      [narrow, await newUserOf('user'), 403],
      [helper, await withExtras(['audit:view']), 200],
      [helper, await withExtras(['audit:view', 'sales:*']), 403],
      [root, await withExtras(['*']), 200],
    ] as const;
    for (const [actor, target, expected] of attempts) {
      const email = newEmail();
      const { status } = await changeUser(actor, target.id, { email });
      expect([status, await statusOfLogin(email), await statusOfLogin(target.email)]).toEqual(
        expected === 200 ? [200, 200, 401] : [403, 401, 200],
      );
    }
  });

  it('is named in the error, other fields are not', async () => {
    const admin = await newUserOf('admin');
    const bob = await newUserOf('user', { extraPermissions: ['*'] });
    const { body } = await changeUser(admin, bob.id, { email: newEmail(), permissions: [] });
    expect(body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: 'You don’t have this user’s permission *.',
    });
    expect((await changeUser(admin, bob.id, { email: bob.email, phone: '030 123' })).status).toBe(
      200,
    );
  });

  it('cannot be changed by an API token with fewer permissions than the account', async () => {
    const admin = await newUserOf('admin', { extraPermissions: reading });
    const bob = await newUserOf('user');
    const withPermissions = async (permissions: readonly string[]) =>
      (await createApiToken(admin.token, { permissions })).body.data as { token: string };
    const weak = await withPermissions(['users:update']);
    const groups = ['users', 'documents', 'files', 'messages', 'calendar'];
    const strong = await withPermissions([...groups.map((group) => `${group}:*`), 'shares:manage']);
    expect((await changeUser(weak, bob.id, { email: newEmail() })).status).toBe(403);
    expect((await changeUser(weak, bob.id, { phone: '030 123' })).status).toBe(200);
    expect((await changeUser(strong, bob.id, { email: newEmail() })).status).toBe(200);
  });
});
