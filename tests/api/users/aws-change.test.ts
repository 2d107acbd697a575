import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { answerReads, mockTable, sent, told } from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';
import { putEmail, putNew } from '../../support/users/auth-writes.ts';
import {
  audited,
  cancelAt,
  emailTaken,
  lastOne,
  removed,
  superAdmins,
  usernameTaken,
  useUsers,
} from '../../support/users/writes.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const users = useUsers(table);
const { change, writesOf } = users;
const TableName = 'handbill-test';
const aText = expect.any(String);

describe('PUT /api/users/{id}', () => {
  it('writes only the changes, if the user has the expected version', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect((await change({ name: 'Bob Bee', timezone: 'UTC', phone: null })).status).toBe(200);
    expect(writesOf()).toEqual([
      {
        Update: {
          TableName,
          Key: userKeys.record.at({ id: 8 }),
          UpdateExpression:
            'SET #updatedAt = :updatedAt, #version = :version, #timezone = :timezone REMOVE #phone',
          ConditionExpression: 'attribute_exists(pk) AND #version = :expected',
          ExpressionAttributeNames: {
            '#phone': 'phone',
            '#timezone': 'timezone',
            '#updatedAt': 'updatedAt',
            '#version': 'version',
          },
          ExpressionAttributeValues: {
            ':expected': 3,
            ':timezone': 'UTC',
            ':updatedAt': aText,
            ':version': 4,
          },
        },
      },
      ...audited('user.update', 8, {
        before: { phone: '030 12', timezone: null },
        after: { phone: null, timezone: 'UTC' },
      }),
    ]);
  });

  it('replaces unique keys in the same transaction, if the new one is free', async () => {
    table.on(TransactWriteCommand).resolves({});
    await change({ email: 'eve@example.com', username: 'eve' });
    expect(writesOf().slice(1, 5)).toEqual([
      removed(accountKeys.email.at({ email: 'bob@example.com' })),
      putEmail('eve@example.com', 8),
      removed(accountKeys.username.at({ username: 'bob' })),
      putNew({ ...accountKeys.username.at({ username: 'eve' }), userId: 8 }),
    ]);
    // Names ignore case, so the unique key stays.
    await change({ username: 'BOB' });
    expect(JSON.stringify(writesOf(1))).not.toContain('USERNAME#');
  });

  it('increments the session epoch once when the status changes', async () => {
    table.on(TransactWriteCommand).resolves({});
    await change({ status: 'suspended' });
    expect(writesOf()[0]?.Update).toMatchObject({
      ConditionExpression:
        'attribute_exists(pk) AND #version = :expected AND #sessionEpoch = :expectedEpoch',
      ExpressionAttributeValues: {
        ':status': 'suspended',
        ':sessionEpoch': 1,
        ':expectedEpoch': 0,
      },
    });
  });

  it('demotes a super_admin only if another remains', async () => {
    table.on(TransactWriteCommand).resolves({});
    await change({ role: 'admin' }, 7);
    await change({ status: 'inactive' }, 7);
    await change({ role: 'super_admin' }, 8);
    await change({ phone: '030 99' }, 7);
    for (const [at, delta] of ([-1, -1, 1] as const).entries()) {
      expect(writesOf(at)[1]).toEqual(superAdmins(delta));
    }
    expect(JSON.stringify(writesOf(3))).not.toContain('SUPER_ADMINS');
  });

  const reasons: readonly [string, (pk: string, kind: string) => boolean, unknown][] = [
    ['the new address', (pk, kind) => pk.startsWith('EMAIL#') && kind === 'Put', emailTaken],
    ['the new username', (pk, kind) => pk.startsWith('USERNAME#') && kind === 'Put', usernameTaken],
    ['the count of super_admins', (pk) => pk === 'SUPER_ADMINS', lastOne],
  ];
  it.each(reasons)(
    'derives the error from the index of the failed write: %s',
    async (_, isIt, response) => {
      const peer = { ...userKeys.record.at({ id: 8 }), ...users.bob, role: 'super_admin' };
      answerReads(table, [...users.root.items, peer]);
      table.on(TransactWriteCommand).callsFake(cancelAt(isIt));
      const changed = await change(
        { email: 'eve@example.com', username: 'eve', status: 'inactive', role: 'guest' },
        8,
      );
      expect(told(changed)).toEqual(response);
      expect(sent(table, TransactWriteCommand)).toHaveLength(1);
    },
  );

  it('reads again after a concurrent write, also when a name seems taken', async () => {
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(
        cancelAt((pk, kind) => pk === 'USER#8' || (pk.startsWith('EMAIL#') && kind === 'Put')),
      )
      .resolves({});
    expect((await change({ email: 'eve@example.com' })).status).toBe(200);
    expect(sent(table, TransactWriteCommand)).toHaveLength(2);
  });

  it('compares If-Match with the version it changes, also after reading again', async () => {
    const headers = { 'if-match': '"3-abcdefgh"' };
    const options = {
      token: users.root.token,
      params: { id: '8' },
      body: { phone: '030 1' },
      headers,
    };
    table.on(TransactWriteCommand).callsFakeOnce(async (input) => {
      answerReads(table, [
        ...users.root.items,
        { ...userKeys.record.at({ id: 8 }), ...users.bob, version: 4 },
      ]);
      return cancelAt((pk) => pk === 'USER#8')(input);
    });
    expect(await call('PUT /api/users/{id}', options)).toMatchObject({ status: 412 });
    const [first, ...others] = sent(table, TransactWriteCommand);
    expect(first?.TransactItems?.[0]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':expected': 3,
    });
    expect(others).toEqual([]);
    expect(await call('DELETE /api/users/{id}', options)).toMatchObject({ status: 412 });
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });

  it('fails after repeated conflicts', async () => {
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => pk === 'USER#8'));
    expect(await change({ phone: '030 1' })).toMatchObject({ status: 503 });
    expect(sent(table, TransactWriteCommand)).toHaveLength(8);
  });
});
