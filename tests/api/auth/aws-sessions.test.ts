import { BatchGetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { createApiToken } from '../../../shared/auth/api-token.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { signToken } from '../../../shared/auth/tokens.ts';
import {
  accessDenied,
  answerReads,
  busy,
  canceled,
  conditionFailed,
  mockTable,
  passingErrors,
  sent,
  told,
} from '../../support/aws/errors.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { alertPut } from '../../support/users/auth-writes.ts';
import { removal, start, useAnn } from '../../support/users/mocked-account.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const ann = useAnn(table);
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();
const hourMs = 3_600_000;
const outcome = { ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

describe('DELETE /api/auth/sessions/{id}', () => {
  const revoke = () =>
    call('DELETE /api/auth/sessions/{id}', {
      token: ann.token,
      params: { id: ann.session.id },
    });

  it('reads the session with strong consistency and deletes it by its key', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect(await revoke()).toMatchObject({ status: 200 });
    const Key = userKeys.session.at({ userId: 7, id: ann.session.id });
    expect(sent(table, BatchGetCommand)[1]).toEqual({
      RequestItems: { [TableName]: { Keys: [Key], ConsistentRead: true } },
    });
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: aText,
        TransactItems: [
          removal(Key),
          ...auditWrites({
            action: 'session.revoke',
            subject: 'user:7',
            actorId: 7,
            before: { session: ann.session.id },
          }),
        ],
      },
    ]);
  });

  it('returns 404 if the session has ended since', async () => {
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None', 'None'));
    expect(await revoke()).toMatchObject({ status: 404 });
  });

  it.each(errors)('returns 503 when the delete fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await revoke())).toEqual(busy(aText));
  });
});

describe('PUT /api/auth/password', () => {
  const change = () =>
    call('PUT /api/auth/password', {
      token: ann.token,
      body: { currentPassword: 'correct horse', password: 'battery staple' },
    });

  it('requires the old password and increments the epoch of the user and this session', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect(await change()).toMatchObject({ status: 200 });
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: aText,
        TransactItems: [
          {
            Update: {
              TableName,
              Key: userKeys.record.at({ id: 7 }),
              UpdateExpression:
                'SET passwordHash = :hash, sessionEpoch = :epoch, updatedAt = :now, #version = #version + :one REMOVE passwordTokenHash, passwordTokenExpiresAt',
              ConditionExpression:
                'attribute_exists(pk) AND passwordHash = :before AND sessionEpoch = :seen',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: {
                ':hash': expect.stringMatching(/^\$2b\$04\$/),
                ':before': ann.user.passwordHash,
                ':seen': 3,
                ':epoch': 4,
                ':now': '2026-11-21T12:00:00.000Z',
                ':one': 1,
              },
            },
          },
          {
            Update: {
              TableName,
              Key: userKeys.session.at({ userId: 7, id: ann.session.id }),
              UpdateExpression: 'SET epoch = :epoch',
              ConditionExpression: 'attribute_exists(pk)',
              ExpressionAttributeValues: { ':epoch': 4 },
            },
          },
          alertPut('password-changed'),
          ...auditWrites({
            action: 'password.change',
            subject: 'user:7',
            actorId: 7,
            after: { password: 'changed' },
          }),
        ],
      },
    ]);
  });

  it('names currentPassword if this session has changed it concurrently', async () => {
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None'));
    expect(await change()).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'currentPassword' }] } },
    });
  });

  it('returns 401 if the session has ended since', async () => {
    table.on(TransactWriteCommand).callsFake(async () => {
      answerReads(table, ann.items.slice(0, 1));
      throw canceled('None', 'ConditionalCheckFailed');
    });
    expect(await change()).toMatchObject({ status: 401 });
  });

  it.each(errors)('returns 503 when the write fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await change())).toEqual(busy(aText));
  });
});

describe('POST /api/auth/refresh', () => {
  it('returns the same tokens to a client that repeats the request', async () => {
    const sub = String(ann.user.id);
    const refreshToken = await signToken('refresh', { sub, sid: ann.session.id, n: 0 }, hourMs);
    const refresh = () => call('POST /api/auth/refresh', { body: { refreshToken } });
    const written = {
      ...ann.session,
      rotation: 1,
      rotatedAt: '2026-11-21T12:00:00.000Z',
      expiresAt: '2026-11-28T12:00:00.000Z',
    };
    const lost = errors.find(([name]) => name === 'TimeoutError')?.[1];
    table.on(UpdateCommand).rejectsOnce(lost).rejects(conditionFailed(written));
    expect(told(await refresh())).toEqual(busy(aText));
    const again = [];
    for (const afterMs of [1_000, 9_999]) {
      vi.setSystemTime(start + afterMs);
      again.push(await refresh());
    }
    expect(again).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(again[0]?.body.refreshToken).toBe(again[1]?.body.refreshToken);
    expect(sent(table, TransactWriteCommand)).toEqual([]);
  });
});

describe('POST /api/auth/logout of all sessions', () => {
  const logout = () => call('POST /api/auth/logout', { token: ann.token, body: { scope: 'all' } });
  const epochs = () =>
    sent(table, TransactWriteCommand).map(
      ({ TransactItems }) => TransactItems?.[0]?.Update?.ExpressionAttributeValues,
    );
  /** Changes or deletes the account before the write. */
  const refusedBy = (user?: object) => {
    const error = canceled('ConditionalCheckFailed', 'None', 'None');
    const [reason] = error.CancellationReasons ?? [];
    if (reason && user) reason.Item = marshall(user, { removeUndefinedValues: true });
    return error;
  };

  it('writes once if the sessions were ended concurrently', async () => {
    table.on(TransactWriteCommand).rejects(refusedBy({ ...ann.user, sessionEpoch: 4 }));
    expect(await logout()).toMatchObject({ status: 200 });
    expect(epochs()).toEqual([{ ':seen': 3, ':next': 4 }]);
  });

  it('writes again if the password was changed concurrently', async () => {
    const changed = { ...ann.user, sessionEpoch: 4, passwordHash: 'another' };
    table.on(TransactWriteCommand).rejectsOnce(refusedBy(changed)).resolves({});
    expect(await logout()).toMatchObject({ status: 200 });
    expect(epochs()).toEqual([
      { ':seen': 3, ':next': 4 },
      { ':seen': 4, ':next': 5 },
    ]);
  });

  it('succeeds if the account was deleted concurrently', async () => {
    table.on(TransactWriteCommand).rejects(refusedBy());
    expect(await logout()).toMatchObject({ status: 200 });
  });
});

describe('the time of last use', () => {
  const me = (options: object) => call('GET /api/auth/me', options);
  const cookies = async () => {
    const sub = String(ann.user.id);
    return [
      `__Host-session=${await signToken('session', { sub, sid: ann.session.id }, 9 * hourMs)}`,
    ];
  };
  /** The stored session an hour later, when its last use must be updated. */
  const later = async () => {
    vi.setSystemTime(start + hourMs);
    const expiresAt = '2026-11-28T12:00:00.000Z';
    answerReads(table, [ann.items[0] ?? {}, { ...ann.items[1], expiresAt }]);
    const content = { sub: String(ann.user.id), sid: ann.session.id };
    return signToken('access', content, hourMs);
  };
  const now = '2026-11-21T13:00:00.000Z';

  it('is set for an existing session', async () => {
    table.on(UpdateCommand).resolves({});
    expect(await me({ token: await later() })).toMatchObject({ status: 200 });
    expect(sent(table, UpdateCommand)).toEqual([
      {
        TableName,
        Key: userKeys.session.at({ userId: 7, id: ann.session.id }),
        UpdateExpression: 'SET lastUsedAt = :now',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':now': now },
        ...outcome,
      },
    ]);
  });

  it('extends the session too when the cookie is used', async () => {
    table.on(UpdateCommand).resolves({});
    await later();
    expect(await me({ cookies: await cookies() })).toMatchObject({ status: 200 });
    expect(sent(table, UpdateCommand)).toEqual([
      {
        TableName,
        Key: userKeys.session.at({ userId: 7, id: ann.session.id }),
        UpdateExpression: 'SET lastUsedAt = :now, expiresAt = :expiresAt, #ttl = :ttl',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':now': now,
          ':expiresAt': '2026-11-28T13:00:00.000Z',
          ':ttl': (start + hourMs) / 1_000 + 7 * 86_400,
        },
        ...outcome,
      },
    ]);
  });

  it('sets the time of an API token, by its hash', async () => {
    const { token, hash } = createApiToken(7);
    const createdAt = new Date(start - hourMs).toISOString();
    const stored = { id: 1, userId: 7, name: 'x', epoch: 0, createdAt };
    answerReads(table, [...ann.items, { ...userKeys.apiToken.at({ userId: 7, hash }), ...stored }]);
    table.on(UpdateCommand).resolves({});
    expect(await me({ token })).toMatchObject({ status: 200 });
    expect(sent(table, UpdateCommand)).toMatchObject([
      { Key: userKeys.apiToken.at({ userId: 7, hash }), UpdateExpression: 'SET lastUsedAt = :now' },
    ]);
  });

  it.each([
    ...errors,
    ['AccessDenied', accessDenied()] as const,
    ['a record that is gone', conditionFailed()] as const,
  ])('fails no request after %s', async (name, error) => {
    const token = await later();
    table.on(UpdateCommand).rejects(error);
    expect(await me({ token })).toMatchObject({ status: 200 });
    expect(await me({ cookies: await cookies() })).toMatchObject({ status: 200 });
    // The SDK retries the others.
    const attempts = name === 'TransactionConflictException' ? 5 : 1;
    expect(sent(table, UpdateCommand)).toHaveLength(2 * attempts);
  });
});
