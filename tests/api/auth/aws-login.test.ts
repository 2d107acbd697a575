import { createHash } from 'node:crypto';
import {
  BatchGetCommand,
  GetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { signToken } from '../../../shared/auth/tokens.ts';
import {
  answerReads,
  busy,
  canceled,
  conditionFailed,
  mockTable,
  passingErrors,
  type SignedIn,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { newSession, putNew, retriedCodes } from '../../support/users/auth-writes.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const TableName = 'handbill-test';
const aText = expect.any(String);
const password = 'correct horse';
const email = 'Ann@Example.com';
const errors = passingErrors();

beforeEach(() => {
  table.reset();
});

describe('POST /api/auth/login', () => {
  const login = () => call('POST /api/auth/login', { body: { email, password } });
  let ann: SignedIn;

  beforeEach(async () => {
    ann = await signedIn({ passwordHash: await hashPassword(password), sessionEpoch: 3 });
    answerReads(table, [...ann.items, { ...accountKeys.email.at({ email }), userId: ann.user.id }]);
  });

  it('reads the email key and the account with strong consistency', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect(await login()).toMatchObject({ status: 200 });
    expect(sent(table, GetCommand)).toEqual([
      { TableName, Key: accountKeys.email.at({ email }), ConsistentRead: true },
    ]);
    expect(sent(table, BatchGetCommand)).toEqual([
      {
        RequestItems: {
          [TableName]: { Keys: [userKeys.record.at({ id: ann.user.id })], ConsistentRead: true },
        },
      },
    ]);
  });

  it('creates the session only for the account as checked', async () => {
    table.on(TransactWriteCommand).resolves({});
    const { body } = await login();
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: aText,
        TransactItems: [
          {
            Update: {
              TableName,
              Key: userKeys.record.at({ id: ann.user.id }),
              UpdateExpression: 'SET lastLoginAt = :now, signInPlaces = :places',
              ConditionExpression:
                'passwordHash = :hash AND #status = :active AND sessionEpoch = :epoch AND attribute_not_exists(signInPlaces)',
              ExpressionAttributeNames: { '#status': 'status' },
              ExpressionAttributeValues: {
                ':now': body.user.lastLoginAt,
                ':hash': ann.user.passwordHash,
                ':active': 'active',
                ':epoch': 3,
                ':places': expect.stringMatching(/^[\w-]{8}$/),
              },
            },
          },
          putNew(newSession(ann.user.id, 3)),
          ...auditWrites({
            action: 'session.create',
            subject: 'user:7',
            actorId: 7,
            after: { session: expect.stringMatching(/^[\w-]{22}$/) },
          }),
        ],
      },
    ]);
  });

  /** Changes the account before the first transaction. */
  const becomes = (fields: Record<string, unknown>) =>
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(async () => {
        const changed = { ...userKeys.record.at({ id: ann.user.id }), ...ann.user, ...fields };
        answerReads(table, [changed, { ...accountKeys.email.at({ email }), userId: ann.user.id }]);
        throw canceled('ConditionalCheckFailed', 'None');
      })
      .resolves({});

  it('returns 401 if the account changed after it was read', async () => {
    becomes({ status: 'suspended' });
    expect(told(await login())).toEqual({
      status: 401,
      retryAfter: undefined,
      body: {
        success: false,
        error: {
          code: 'UNAUTHORIZED',
          message: 'Incorrect email or password.',
          details: [],
          requestId: aText,
        },
      },
    });
  });

  it.each([
    ['an unknown address', 'nobody@example.com', 'user:unknown', 'unknown email address'],
    ['a wrong password', email, 'user:7', 'wrong password'],
  ])('audits a failure for %s without the input', async (...error) => {
    const [, address, subject, reason] = error;
    table.on(TransactWriteCommand).resolves({});
    const body = { email: address, password: 'wrong horse' };
    expect(await call('POST /api/auth/login', { body })).toMatchObject({ status: 401 });
    const written = sent(table, TransactWriteCommand);
    const entry = { action: 'session.fail', subject, after: { reason } };
    expect(written).toEqual([{ ClientRequestToken: aText, TransactItems: auditWrites(entry) }]);
    for (const typed of [
      address,
      'wrong horse',
      createHash('sha256').update(address).digest('hex'),
    ]) {
      expect(JSON.stringify(written)).not.toContain(typed.slice(0, 12));
    }
  });

  it.each(errors)('returns 503 if the audit entry fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    for (const address of [email, 'nobody@example.com']) {
      const body = { email: address, password: 'wrong horse' };
      expect(told(await call('POST /api/auth/login', { body }))).toEqual(busy(aText));
    }
  });

  it('creates the session again after all sessions were ended concurrently', async () => {
    becomes({ sessionEpoch: 4 });
    expect(await login()).toMatchObject({ status: 200 });
    const [first, second] = sent(table, TransactWriteCommand).map(
      ({ TransactItems }) => TransactItems?.[1]?.Put?.Item?.['epoch'],
    );
    expect([first, second]).toEqual([3, 4]);
  });

  it('returns 503 while the account keeps changing', async () => {
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None'));
    expect(await login()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(sent(table, TransactWriteCommand)).toHaveLength(4);
  });

  it.each(retriedCodes)('returns 503 while %s persists', async (code) => {
    table.on(TransactWriteCommand).rejects(canceled(code, 'None'));
    expect(told(await login())).toEqual(busy(aText));
  });

  it.each(errors)('returns 503 when a read or the write fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await login())).toEqual(busy(aText));
    table.on(GetCommand).rejects(error);
    expect(told(await login())).toEqual(busy(aText));
  });
});

describe('POST /api/auth/refresh', () => {
  const start = Date.parse('2026-11-21T12:00:00Z');
  const next = { rotation: 5, rotatedAt: '2026-11-21T12:00:00.000Z' };
  let ann: SignedIn;
  let refreshToken: string;
  const refresh = () => call('POST /api/auth/refresh', { body: { refreshToken } });
  const refused = { status: 401, body: { success: false, error: { code: 'UNAUTHORIZED' } } };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    ann = await signedIn();
    const { user, session } = ann;
    answerReads(table, ann.items);
    refreshToken = await signToken(
      'refresh',
      { sub: String(user.id), sid: session.id, n: 4 },
      60_000,
    );
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('advances the rotation if it is still that of the token', async () => {
    table.on(UpdateCommand).resolves({ Attributes: { ...ann.session, ...next } });
    expect(await refresh()).toMatchObject({ status: 200 });
    expect(sent(table, UpdateCommand)).toEqual([
      {
        TableName,
        Key: userKeys.session.at({ userId: ann.user.id, id: ann.session.id }),
        UpdateExpression:
          'SET rotation = :next, rotatedAt = :now, expiresAt = :expiresAt, #ttl = :ttl',
        ConditionExpression: 'attribute_exists(pk) AND rotation = :n',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':n': 4,
          ':next': 5,
          ':now': next.rotatedAt,
          ':expiresAt': '2026-11-28T12:00:00.000Z',
          ':ttl': start / 1_000 + 7 * 86_400,
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    ]);
  });

  it('returns the same tokens after a lost response of its own write', async () => {
    const written = { ...ann.session, ...next };
    table.on(UpdateCommand).resolvesOnce({ Attributes: written }).rejects(conditionFailed(written));
    const first = await refresh();
    const repeat = await refresh();
    expect(repeat).toMatchObject({ status: 200 });
    expect(repeat.body.refreshToken).toBe(first.body.refreshToken);
  });

  it.each([
    ['was rotated 10 s ago', { rotation: 5, rotatedAt: '2026-11-21T11:59:50.000Z' }],
    ['was rotated twice since', { rotation: 6, rotatedAt: next.rotatedAt }],
  ])('rejects a token with a session that %s', async (_, fields) => {
    table.on(UpdateCommand).rejects(conditionFailed({ ...ann.session, ...fields }));
    expect(await refresh()).toMatchObject(refused);
  });

  it('rejects a token if its session ended after it was read', async () => {
    table.on(UpdateCommand).rejects(conditionFailed());
    expect(await refresh()).toMatchObject(refused);
  });

  it.each(errors)('returns 503 when the update fails with %s', async (_, error) => {
    table.on(UpdateCommand).rejects(error);
    expect(told(await refresh())).toEqual(busy(aText));
  });
});

describe('POST /api/auth/logout', () => {
  it('deletes the session, or increments the epoch for all of them', async () => {
    const { items, token, user, session } = await signedIn();
    answerReads(table, items);
    table.on(TransactWriteCommand).resolves({});
    const done = { status: 200, body: { success: true, data: {} } };
    expect(await call('POST /api/auth/logout', { token })).toMatchObject(done);
    expect(await call('POST /api/auth/logout', { token, body: { scope: 'all' } })).toMatchObject(
      done,
    );
    const entry = { action: 'session.end', subject: 'user:7', actorId: 7 };
    expect(sent(table, TransactWriteCommand).map(({ TransactItems }) => TransactItems)).toEqual([
      [
        {
          Delete: {
            TableName,
            Key: userKeys.session.at({ userId: user.id, id: session.id }),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        ...auditWrites({ ...entry, before: { session: session.id } }),
      ],
      [
        {
          Update: {
            TableName,
            Key: userKeys.record.at({ id: user.id }),
            UpdateExpression: 'SET sessionEpoch = :next',
            ConditionExpression: 'attribute_exists(pk) AND sessionEpoch = :seen',
            ExpressionAttributeValues: {
              ':seen': user.sessionEpoch,
              ':next': user.sessionEpoch + 1,
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        ...auditWrites({ ...entry, before: { sessions: 'all' } }),
      ],
    ]);
  });
});

it('ends a session when an old refresh token is used again', async () => {
  const ann = await signedIn();
  answerReads(table, ann.items);
  const refreshToken = await signToken('refresh', { sub: '7', sid: ann.session.id, n: 4 }, 60_000);
  table
    .on(UpdateCommand)
    .rejects(conditionFailed({ ...ann.session, rotation: 9, rotatedAt: new Date().toISOString() }))
    .on(TransactWriteCommand)
    .resolves({});
  expect(await call('POST /api/auth/refresh', { body: { refreshToken } })).toMatchObject({
    status: 401,
  });
  expect(sent(table, TransactWriteCommand)).toEqual([
    {
      ClientRequestToken: aText,
      TransactItems: [
        {
          Delete: {
            TableName,
            Key: userKeys.session.at({ userId: 7, id: ann.session.id }),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        ...auditWrites({
          action: 'session.reuse',
          subject: 'user:7',
          before: { session: ann.session.id },
        }),
      ],
    },
  ]);
});
