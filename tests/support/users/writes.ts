import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect } from 'vitest';
import type { StoredUser } from '../../../shared/auth/user.ts';
import {
  answerReads,
  canceled,
  type MockedTable,
  type SignedIn,
  sent,
  signedIn,
} from '../aws/errors.ts';
import { auditWrites } from '../service/audit.ts';
import { call } from '../service/call.ts';

const TableName = 'handbill-test';
const aText = expect.any(String);

/** Puts Root, a super_admin (id 7), and Bob (id 8) into the mocked table before each test. */
export const useUsers = (table: MockedTable) => {
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
  return {
    get root(): SignedIn {
      return root;
    },
    get bob(): StoredUser {
      return bob.user;
    },
    /** Sends a request of Root. */
    create: (body: Record<string, unknown> = {}) =>
      call('POST /api/users', {
        token: root.token,
        body: { email: 'Eve@Example.com', name: 'Eve', password: 'correct horse', ...body },
      }),
    change: (body: Record<string, unknown>, id = 8) =>
      call('PUT /api/users/{id}', { token: root.token, params: { id: String(id) }, body }),
    remove: (id = 8) =>
      call('DELETE /api/users/{id}', { token: root.token, params: { id: String(id) } }),
    /** Returns the writes of a transaction, by default the first. */
    writesOf: (at = 0) => sent(table, TransactWriteCommand)[at]?.TransactItems ?? [],
  };
};

/** Cancels the transaction at the matching writes, with one reason per write like DynamoDB. */
export const cancelAt =
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
export const emailTaken = conflictAbout('This email address is already registered.', [
  { field: 'email', message: 'is already registered' },
]);
export const usernameTaken = conflictAbout('This username is already taken.', [
  { field: 'username', message: 'is already taken' },
]);
export const lastOne = conflictAbout(
  'The last active super_admin can’t be removed. Add another first.',
);

const moved = (pk: RegExp, sk: string, delta: number) => ({
  Update: {
    TableName,
    Key: { pk: expect.stringMatching(pk), sk },
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/** Returns the counter writes for all users, new users of a month (UTC) and active users. */
export const totals = (delta: 1 | -1, month: string) => [
  moved(/^TOTAL#users#([0-9]|1[0-5])$/, 'TOTAL', delta),
  moved(new RegExp(`^STATS#USERS#${month}#[0-7]$`), 'NEW', delta),
  moved(/^TOTAL#active-users#([0-9]|1[0-5])$/, 'TOTAL', delta),
];

/** Returns the counter write for active super_admins. */
export const superAdmins = (delta: 1 | -1) => ({
  Update: {
    TableName,
    Key: { pk: 'SUPER_ADMINS', sk: 'COUNT' },
    UpdateExpression: 'ADD active :delta',
    ...(delta < 0 && { ConditionExpression: 'active > :one' }),
    ExpressionAttributeValues: { ':delta': delta, ...(delta < 0 && { ':one': 1 }) },
  },
});

export const removed = (Key: unknown) => ({ Delete: { TableName, Key } });

/** Returns the audit writes of a change by Root. */
export const audited = (action: string, id: number, fields: Record<string, unknown>) =>
  auditWrites({ action, subject: `user:${id}`, actorId: 7, ...fields });
