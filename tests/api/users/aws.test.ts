import { QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { indexWrites } from '../../../functions/api/users/record/user-index.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  mockTable,
  passingErrors,
  secretWords,
  sent,
  told,
} from '../../support/aws/errors.ts';
import type { Answer } from '../../support/service/call.ts';
import { putEmail, putNew, retriedCodes } from '../../support/users/auth-writes.ts';
import {
  audited,
  cancelAt,
  emailTaken,
  lastOne,
  removed,
  superAdmins,
  totals,
  usernameTaken,
  useUsers,
} from '../../support/users/writes.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const users = useUsers(table);
const { change, create, remove, writesOf } = users;
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();

/** The job that reconciles the user data. */
const settling = putNew({
  ...{ pk: 'OUTBOX', sk: aText, ttl: expect.any(Number) },
  message: expect.stringContaining('"kind":"reconcile-user"'),
});
const shownOfBob = {
  ...{ email: 'bob@example.com', username: 'bob', name: 'Bob Bee', role: 'user' },
  ...{ extraPermissions: [], status: 'active', phone: '030 12' },
};
const deleted = {
  Delete: {
    TableName,
    Key: userKeys.record.at({ id: 8 }),
    ConditionExpression: 'attribute_exists(pk) AND #version = :expected',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':expected': 3 },
  },
};

describe('POST /api/users', () => {
  it('writes the user, both unique keys, the total and the index entries in one transaction', async () => {
    table.on(TransactWriteCommand).resolves({});
    const { status, body } = await create({ username: 'Eve.B' });
    expect(status).toBe(201);
    const { id } = body.data;
    const item = {
      ...userKeys.record.at({ id }),
      id,
      email: 'eve@example.com',
      username: 'Eve.B',
      name: 'Eve',
      role: 'user',
      extraPermissions: [],
      status: 'active' as const,
      passwordHash: expect.stringMatching(/^\$2/),
      createdAt: aText,
      updatedAt: aText,
      version: 1,
      sessionEpoch: 0,
    };
    expect(writesOf()).toEqual([
      putNew(item),
      putEmail('eve@example.com', id),
      putNew({ pk: 'USERNAME#eve.b', sk: 'USERNAME', userId: id }),
      ...totals(1, body.data.createdAt.slice(0, 7)),
      ...Object.values(indexWrites(undefined, { ...item, role: 'user' })),
      ...audited('user.create', id, {
        after: {
          ...{ email: 'eve@example.com', username: 'Eve.B', name: 'Eve', role: 'user' },
          ...{ extraPermissions: [], status: 'active', password: 'set' },
        },
      }),
    ]);
    const words = writesOf().map((write) => write.Put?.Item?.['pk']);
    expect(words.slice(6, -2).toSorted()).toEqual([
      'USERS',
      'USERS#NAME',
      'USERS#ROLE#user#STATUS#active',
      'USERS#WORD#b',
      'USERS#WORD#c',
      'USERS#WORD#e',
      'USERS#WORD#e',
    ]);
  });

  it('counts a new super_admin only if active', async () => {
    table.on(TransactWriteCommand).resolves({});
    await create({ role: 'super_admin' });
    await create({ role: 'super_admin', status: 'suspended' });
    expect(writesOf(0)).toContainEqual(superAdmins(1));
    expect(JSON.stringify(writesOf(1))).not.toContain('SUPER_ADMINS');
  });

  it('names the field with the taken unique key, by the index of its cancellation reason', async () => {
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => pk.startsWith('EMAIL#')));
    expect(told(await create({ username: 'eve' }))).toEqual(emailTaken);
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => pk.startsWith('USERNAME#')));
    expect(told(await create({ username: 'eve' }))).toEqual(usernameTaken);
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => /^E|^USERNAME#/.test(pk)));
    expect(told(await create({ username: 'eve' }))).toEqual(emailTaken);
  });

  it('retries with another derived username and another id', async () => {
    for (const prefix of ['USERNAME#', 'USER#']) {
      table.resetHistory();
      table
        .on(TransactWriteCommand)
        .callsFakeOnce(cancelAt((pk) => pk.startsWith(prefix)))
        .resolves({});
      const { status, body } = await create();
      expect([status, body.data.username]).toEqual([201, expect.stringMatching(/^eve(-\d+)$/)]);
      const [first, second] = sent(table, TransactWriteCommand);
      expect(first?.ClientRequestToken).not.toBe(second?.ClientRequestToken);
      expect(first?.TransactItems?.[0]?.Put?.Item?.['id']).not.toBe(body.data.id);
    }
  });

  it('creates no link if the user was removed before', async () => {
    table.on(TransactWriteCommand).resolves({});
    table.on(UpdateCommand).resolves({ Attributes: { id: 1 } });
    const { body } = await create({ password: null });
    expect(body.link).toMatch(/^https:\/\/handbill\.test\/invite\?token=/);
    expect(sent(table, UpdateCommand)).toEqual([
      expect.objectContaining({
        Key: userKeys.record.at({ id: body.data.id }),
        ConditionExpression:
          'attribute_exists(pk) AND email = :email AND attribute_not_exists(passwordHash)',
      }),
    ]);
    const secret = body.link.split('.').at(-1);
    expect(JSON.stringify(table.calls().map(({ args }) => args[0].input))).not.toContain(secret);
  });
});

describe('DELETE /api/users/{id}', () => {
  it('deletes the expected version with its unique keys and index entries, and decrements the total', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect((await remove()).status).toBe(200);
    expect(writesOf()).toEqual([
      deleted,
      removed(accountKeys.email.at({ email: 'bob@example.com' })),
      removed(accountKeys.username.at({ username: 'bob' })),
      ...totals(-1, users.bob.createdAt.slice(0, 7)),
      settling,
      ...Object.values(indexWrites(users.bob, undefined)),
      ...audited('user.delete', 8, { before: shownOfBob }),
    ]);
  });

  it('succeeds once the user is deleted, even if user data remains', async () => {
    const logged = vi.spyOn(getLogger(), 'warn');
    table.on(TransactWriteCommand).resolves({});
    table.on(QueryCommand).rejects(errors[0]?.[1]);
    const { status, body } = await remove();
    const data = { id: 8, pending: true };
    expect([status, body]).toEqual([200, { success: true, data, message: 'Deleted' }]);
    expect(logged).toHaveBeenCalledOnce();
    for (const word of secretWords) expect(JSON.stringify(logged.mock.calls)).not.toContain(word);
    logged.mockRestore();
  });

  it('deletes a super_admin only if another remains', async () => {
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => pk === 'SUPER_ADMINS'));
    expect(told(await remove(7))).toEqual(lastOne);
    expect(writesOf()[3]).toEqual(superAdmins(-1));
  });

  it('returns 404 if the user was deleted concurrently', async () => {
    table.on(TransactWriteCommand).callsFake(async (input) => {
      answerReads(table, users.root.items);
      return cancelAt((pk) => pk === 'USER#8')(input);
    });
    expect(await remove()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });
});

const requests: readonly [string, number, () => Promise<Answer>][] = [
  ['POST /api/users', 201, () => create({ username: 'eve' })],
  ['PUT /api/users/{id}', 200, () => change({ email: 'eve@example.com', role: 'admin' })],
  ['DELETE /api/users/{id}', 200, () => remove()],
];

describe.each(requests)('%s', (_, done, send) => {
  it.each(errors)('returns 503 after %s and names no field', async (_name, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await send())).toEqual(busy(aText));
  });

  it.each(retriedCodes)(
    'repeats the same transaction after %s at a unique key and returns 503 if it persists',
    async (code) => {
      const atMarker = cancelAt((pk) => /^(EMAIL|TOTAL)#/.test(pk), code);
      table.on(TransactWriteCommand).callsFakeOnce(atMarker).callsFakeOnce(atMarker).resolves({});
      expect((await send()).status).toBe(done);
      const [first, ...others] = sent(table, TransactWriteCommand);
      expect(others).toEqual([first, first]);
      table.on(TransactWriteCommand).callsFake(atMarker);
      expect(told(await send())).toEqual(busy(aText));
    },
  );

  it('returns 503 if the caller cannot be read', async () => {
    table.onAnyCommand().rejects(errors[0]?.[1]);
    expect(told(await send())).toEqual(busy(aText));
    expect(sent(table, TransactWriteCommand)).toEqual([]);
  });

  it('neither returns nor logs the AWS message about a missing grant', async () => {
    const logged = vi.spyOn(getLogger(), 'error');
    table.on(TransactWriteCommand).rejects(accessDenied());
    const response = await send();
    expect(told(response)).toEqual(broken(aText));
    const text = JSON.stringify([response, logged.mock.calls]);
    for (const word of [...secretWords, 'the hash of bob']) expect(text).not.toContain(word);
    logged.mockRestore();
  });
});
