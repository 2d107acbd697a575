import { QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { indexWrites } from '../functions/users/user-index.ts';
import { keys } from '../shared/table.ts';
import { log } from '../shared/telemetry.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  mockTable,
  passingErrors,
  type SignedIn,
  secretWords,
  sent,
  signedIn,
  told,
} from './support/aws-errors.ts';
import { type Answer, call } from './support/call.ts';

// A pause between two tries is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();

let root: SignedIn;
let bob: SignedIn;

beforeEach(async () => {
  table.reset();
  root = await signedIn({ role: 'super_admin' });
  bob = await signedIn({
    id: 8,
    email: 'bob@example.com',
    username: 'bob',
    name: 'Bob Bee',
    version: 3,
    phone: '030 12',
    passwordHash: 'the hash of bob',
  });
  answerReads(table, [...root.items, ...bob.items]);
  table.on(QueryCommand).resolves({ Items: [] });
});

const create = (body: Record<string, unknown> = {}) =>
  call('POST /api/users', {
    token: root.token,
    body: { email: 'Eve@Example.com', name: 'Eve', password: 'correct horse', ...body },
  });
const change = (body: Record<string, unknown>, id = 8) =>
  call('PUT /api/users/{id}', { token: root.token, params: { id: String(id) }, body });
const remove = (id = 8) =>
  call('DELETE /api/users/{id}', { token: root.token, params: { id: String(id) } });

const writesOf = (at = 0) => sent(table, TransactWriteCommand)[at]?.TransactItems ?? [];
/** Cancels at the write that this finds, as DynamoDB does: one reason for each write. */
const cancelAt =
  (isIt: (pk: string, kind: string) => boolean, code = 'ConditionalCheckFailed') =>
  async ({ TransactItems = [] }: TransactWriteCommand['input']) => {
    const reasons = TransactItems.map((write) => {
      const [kind = ''] = Object.keys(write);
      const key = write.Put?.Item ?? write.Delete?.Key ?? write.Update?.Key;
      return isIt(key?.['pk'], kind) ? code : 'None';
    });
    expect(reasons).toContain(code);
    throw canceled(...reasons);
  };
const conflictAbout = (message: string, details: readonly unknown[] = []) => ({
  status: 409,
  retryAfter: undefined,
  body: {
    success: false,
    error: { code: 'CONFLICT', message, details, requestId: aText },
  },
});
const emailTaken = conflictAbout('This e-mail address is registered already', [
  { field: 'email', message: 'is registered already' },
]);
const usernameTaken = conflictAbout('This username is taken already', [
  { field: 'username', message: 'is taken already' },
]);
const lastOne = conflictAbout('This is the last active super_admin: make another one first');

const putNew = (Item: unknown) => ({
  Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' },
});
const total = (delta: number) => ({
  Update: {
    TableName,
    Key: { pk: expect.stringMatching(/^TOTAL#users#([0-9]|1[0-5])$/), sk: 'TOTAL' },
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});
const superAdmins = (delta: 1 | -1) => ({
  Update: {
    TableName,
    Key: { pk: 'SUPER_ADMINS', sk: 'COUNT' },
    UpdateExpression: 'ADD active :delta',
    ...(delta < 0 && { ConditionExpression: 'active > :one' }),
    ExpressionAttributeValues: { ':delta': delta, ...(delta < 0 && { ':one': 1 }) },
  },
});
const removed = (Key: unknown) => ({ Delete: { TableName, Key } });
/** The job that settles what the user owned. */
const settling = putNew({
  ...{ pk: 'UNSENT', sk: aText, ttl: expect.any(Number) },
  message: expect.stringContaining('"kind":"settle-user"'),
});
/** What the change leaves in the audit: an entry by time and actor, and the same by subject. */
const audited = (action: string, id: number, fields: Record<string, unknown>) => {
  const of = { address: '192.0.2.1', requestId: aText, actorId: 7, subject: `user:${id}` };
  const entry = { id: aText, action, at: aText, ...of, ttl: expect.any(Number), ...fields };
  const pk = expect.stringMatching(/^AUDIT#\d{4}-\d\d$/);
  return [
    putNew({ ...entry, pk, sk: aText, gsi1pk: 'AUDIT#ACTOR#7', gsi1sk: aText }),
    putNew({ ...entry, pk: `AUDIT#SUBJECT#user:${id}`, sk: aText }),
  ];
};
const shownOfBob = {
  ...{ email: 'bob@example.com', username: 'bob', name: 'Bob Bee', role: 'user' },
  ...{ extraPermissions: [], status: 'active', phone: '030 12' },
};
const deleted = {
  Delete: {
    TableName,
    Key: keys.user(8),
    ConditionExpression: 'attribute_exists(pk) AND #version = :seen',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':seen': 3 },
  },
};

describe('POST /api/users', () => {
  it('writes the user, both markers, the total and the places in lists and search at once', async () => {
    table.on(TransactWriteCommand).resolves({});
    const { status, body } = await create({ username: 'Eve.B' });
    expect(status).toBe(201);
    const { id } = body.data;
    const item = {
      ...keys.user(id),
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
      putNew({ pk: 'EMAIL#eve@example.com', sk: 'EMAIL', userId: id }),
      putNew({ pk: 'USERNAME#eve.b', sk: 'USERNAME', userId: id }),
      total(1),
      ...Object.values(indexWrites(undefined, { ...item, role: 'user' })),
      ...audited('user.create', id, {
        after: {
          ...{ email: 'eve@example.com', username: 'Eve.B', name: 'Eve', role: 'user' },
          ...{ extraPermissions: [], status: 'active', password: 'set' },
        },
      }),
    ]);
    const words = writesOf().map((write) => write.Put?.Item?.['pk']);
    expect(words.slice(4, -2).toSorted()).toEqual([
      'USERS',
      'USERS#NAME',
      'USERS#ROLE#user',
      'USERS#STATUS#active',
      'USERS#WORD#b',
      'USERS#WORD#c',
      'USERS#WORD#e',
      'USERS#WORD#e',
    ]);
  });

  it('counts a new super_admin who is active, and no other', async () => {
    table.on(TransactWriteCommand).resolves({});
    await create({ role: 'super_admin' });
    await create({ role: 'super_admin', status: 'suspended' });
    expect(writesOf(0)).toContainEqual(superAdmins(1));
    expect(JSON.stringify(writesOf(1))).not.toContain('SUPER_ADMINS');
  });

  it('blames the field whose marker was there, by its place among the reasons', async () => {
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => pk.startsWith('EMAIL#')));
    expect(told(await create({ username: 'eve' }))).toEqual(emailTaken);
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => pk.startsWith('USERNAME#')));
    expect(told(await create({ username: 'eve' }))).toEqual(usernameTaken);
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => /^E|^USERNAME#/.test(pk)));
    expect(told(await create({ username: 'eve' }))).toEqual(emailTaken);
  });

  it('tries another derived username, and another id, without a word', async () => {
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

  it('gives no link to a user who was removed before it was made', async () => {
    table.on(TransactWriteCommand).resolves({});
    table.on(UpdateCommand).resolves({ Attributes: { id: 1 } });
    const { body } = await create({ password: null });
    expect(body.link).toMatch(/^https:\/\/handbill\.test\/invite\?token=/);
    expect(sent(table, UpdateCommand)).toEqual([
      expect.objectContaining({
        Key: keys.user(body.data.id),
        ConditionExpression:
          'attribute_exists(pk) AND email = :email AND attribute_not_exists(passwordHash)',
      }),
    ]);
    const secret = body.link.split('.').at(-1);
    expect(JSON.stringify(table.calls().map(({ args }) => args[0].input))).not.toContain(secret);
  });
});

describe('PUT /api/users/{id}', () => {
  it('writes what changes and nothing else, if the user is as it was seen', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect((await change({ name: 'Bob Bee', timezone: 'UTC', phone: null })).status).toBe(200);
    expect(writesOf()).toEqual([
      {
        Update: {
          TableName,
          Key: keys.user(8),
          UpdateExpression:
            'SET #updatedAt = :updatedAt, #version = :version, #timezone = :timezone REMOVE #phone',
          ConditionExpression: 'attribute_exists(pk) AND #version = :seen',
          ExpressionAttributeNames: {
            '#phone': 'phone',
            '#timezone': 'timezone',
            '#updatedAt': 'updatedAt',
            '#version': 'version',
          },
          ExpressionAttributeValues: {
            ':seen': 3,
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

  it('moves markers in the same transaction: the old one goes, the new one must be free', async () => {
    table.on(TransactWriteCommand).resolves({});
    await change({ email: 'eve@example.com', username: 'eve' });
    expect(writesOf().slice(1, 5)).toEqual([
      removed(keys.email('bob@example.com')),
      putNew({ ...keys.email('eve@example.com'), userId: 8 }),
      removed(keys.username('bob')),
      putNew({ ...keys.username('eve'), userId: 8 }),
    ]);
    // Letters of another case are the same name: the marker stays.
    await change({ username: 'BOB' });
    expect(JSON.stringify(writesOf(1))).not.toContain('USERNAME#');
  });

  it('raises the epoch of the sessions with the status, once', async () => {
    table.on(TransactWriteCommand).resolves({});
    await change({ status: 'suspended' });
    expect(writesOf()[0]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':status': 'suspended',
      ':sessionEpoch': 1,
    });
  });

  it('lets a super_admin go only while there is another', async () => {
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
  it.each(reasons)('tells what failed by its place: %s', async (_, isIt, answer) => {
    const peer = { ...keys.user(8), ...bob.user, role: 'super_admin' };
    answerReads(table, [...root.items, peer]);
    table.on(TransactWriteCommand).callsFake(cancelAt(isIt));
    const changed = await change(
      { email: 'eve@example.com', username: 'eve', status: 'inactive', role: 'guest' },
      8,
    );
    expect(told(changed)).toEqual(answer);
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });

  it('looks again when somebody else was faster, also where a name seems taken', async () => {
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(
        cancelAt((pk, kind) => pk === 'USER#8' || (pk.startsWith('EMAIL#') && kind === 'Put')),
      )
      .resolves({});
    expect((await change({ email: 'eve@example.com' })).status).toBe(200);
    expect(sent(table, TransactWriteCommand)).toHaveLength(2);
  });

  it('compares If-Match with the version that it changes, also when it looks again', async () => {
    const headers = { 'if-match': '"3-abcdefgh"' };
    const options = { token: root.token, params: { id: '8' }, body: { phone: '030 1' }, headers };
    table.on(TransactWriteCommand).callsFakeOnce(async (input) => {
      answerReads(table, [...root.items, { ...keys.user(8), ...bob.user, version: 4 }]);
      return cancelAt((pk) => pk === 'USER#8')(input);
    });
    expect(await call('PUT /api/users/{id}', options)).toMatchObject({ status: 412 });
    const [first, ...others] = sent(table, TransactWriteCommand);
    expect(first?.TransactItems?.[0]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':seen': 3,
    });
    expect(others).toEqual([]);
    expect(await call('DELETE /api/users/{id}', options)).toMatchObject({ status: 412 });
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });

  it('gives up after some tries while others are always faster', async () => {
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => pk === 'USER#8'));
    expect(await change({ phone: '030 1' })).toMatchObject({ status: 503 });
    expect(sent(table, TransactWriteCommand)).toHaveLength(8);
  });
});

describe('DELETE /api/users/{id}', () => {
  it('removes the user as it was seen, its markers and its places, and counts it off', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect((await remove()).status).toBe(200);
    expect(writesOf()).toEqual([
      deleted,
      removed(keys.email('bob@example.com')),
      removed(keys.username('bob')),
      total(-1),
      settling,
      ...Object.values(indexWrites(bob.user, undefined)),
      ...audited('user.delete', 8, { before: shownOfBob }),
    ]);
  });

  it('is done once the user is removed, also where not everything else could be', async () => {
    const logged = vi.spyOn(log(), 'warn');
    table.on(TransactWriteCommand).resolves({});
    table.on(QueryCommand).rejects(errors[0]?.[1]);
    const { status, body } = await remove();
    expect([status, body]).toEqual([200, { success: true, data: { id: 8 }, message: 'Deleted' }]);
    expect(logged).toHaveBeenCalledOnce();
    for (const word of secretWords) expect(JSON.stringify(logged.mock.calls)).not.toContain(word);
    logged.mockRestore();
  });

  it('removes a super_admin only while there is another', async () => {
    table.on(TransactWriteCommand).callsFake(cancelAt((pk) => pk === 'SUPER_ADMINS'));
    expect(told(await remove(7))).toEqual(lastOne);
    expect(writesOf()[4]).toEqual(superAdmins(-1));
  });

  it('is not found when the user was removed in between', async () => {
    table.on(TransactWriteCommand).callsFake(async (input) => {
      answerReads(table, root.items);
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
  it.each(errors)('is busy after %s, and blames no field', async (_name, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await send())).toEqual(busy(aText));
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'sends the very same transaction again after %s at a marker, and is busy when it goes on',
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

  it('is busy when the caller cannot be read', async () => {
    table.onAnyCommand().rejects(errors[0]?.[1]);
    expect(told(await send())).toEqual(busy(aText));
    expect(sent(table, TransactWriteCommand)).toEqual([]);
  });

  it('neither tells nor logs what AWS says of a missing grant', async () => {
    const logged = vi.spyOn(log(), 'error');
    table.on(TransactWriteCommand).rejects(accessDenied());
    const answer = await send();
    expect(told(answer)).toEqual(broken(aText));
    const text = JSON.stringify([answer, logged.mock.calls]);
    for (const word of [...secretWords, 'the hash of bob']) expect(text).not.toContain(word);
    logged.mockRestore();
  });
});
