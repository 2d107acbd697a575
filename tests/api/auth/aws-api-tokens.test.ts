import { DeleteCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredApiToken } from '../../../shared/auth/actor.ts';
import { parseApiToken } from '../../../shared/auth/api-token.ts';

import { userKeys } from '../../../shared/auth/keys.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  mockTable,
  passingErrors,
  sent,
  told,
} from '../../support/aws/errors.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { alertPut, putNew } from '../../support/users/auth-writes.ts';
import { removal, start, useAnn } from '../../support/users/mocked-account.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const ann = useAnn(table);
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();

describe('POST /api/auth/tokens', () => {
  const create = (body: object = {}) =>
    call('POST /api/auth/tokens', { token: ann.token, body: { name: 'x', ...body } });
  const stored = (id: number, fields: Partial<StoredApiToken> = {}) => ({
    ...userKeys.apiToken.at({ userId: 7, hash: `hash-${id}` }),
    id,
    userId: 7,
    name: 'x',
    epoch: 0,
    createdAt: new Date(start).toISOString(),
    ...fields,
  });

  const countTokenWrite = (limit: number) => ({
    Update: {
      TableName,
      Key: userKeys.record.at({ id: 7 }),
      UpdateExpression: 'ADD apiTokensCreated :one',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(apiTokensCreated) OR apiTokensCreated < :limit)',
      ExpressionAttributeValues: { ':one': 1, ':limit': limit },
    },
  });

  beforeEach(() => {
    table.on(QueryCommand).resolves({ Items: [] });
    table.on(TransactWriteCommand).resolves({});
    table.on(DeleteCommand).resolves({});
  });

  it('puts one new item by the hash of the token and counts it', async () => {
    const { body } = await create({ permissions: ['files:view'], expiresInDays: 1 });
    const { token, lastUsedAt: _, ...shown } = body.data;
    const { hash } = parseApiToken(token) ?? expect.unreachable();
    const { id, name, permissions, expiresAt } = shown;
    const item = { ...userKeys.apiToken.at({ userId: 7, hash }), ...shown, userId: 7, epoch: 0 };
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: aText,
        TransactItems: [
          putNew({ ...item, ttl: start / 1_000 + 86_400 }),
          countTokenWrite(50),
          alertPut('token-created'),
          ...auditWrites({
            action: 'token.create',
            subject: `token:${id}`,
            actorId: 7,
            after: { name, permissions, expiresAt },
          }),
        ],
      },
    ]);
    expect(JSON.stringify(sent(table, TransactWriteCommand))).not.toContain(token);
    expect(sent(table, QueryCommand)[0]).toMatchObject({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': 'USER#7', ':prefix': 'TOKEN#' },
      ConsistentRead: true,
    });
  });

  it('counts again after concurrent creations, and returns 409 at the limit', async () => {
    const owner = { ...userKeys.record.at({ id: 7 }), ...ann.user };
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(() => {
        answerReads(table, [{ ...owner, apiTokensCreated: 4 }, ...ann.items.slice(1)]);
        throw canceled('None', 'ConditionalCheckFailed', 'None', 'None');
      })
      .callsFakeOnce(() => {
        const Items = Array.from({ length: 50 }, (_, at) => stored(at + 1));
        table.on(QueryCommand).resolves({ Items });
        throw canceled('None', 'ConditionalCheckFailed', 'None', 'None');
      });
    expect(await create()).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    const writes = sent(table, TransactWriteCommand).map(({ TransactItems }) => TransactItems?.[1]);
    expect(writes).toEqual([countTokenWrite(50), countTokenWrite(54)]);
    expect(sent(table, DeleteCommand)).toEqual([]);
  });

  it('fails after repeated conflicts', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('None', 'ConditionalCheckFailed', 'None', 'None'));
    expect(await create()).toMatchObject({ status: 409 });
    expect(sent(table, TransactWriteCommand)).toHaveLength(4);
  });

  it('deletes only tokens of an earlier epoch', async () => {
    const user = { ...ann.user, tokenEpoch: 2 };
    answerReads(table, [{ ...userKeys.record.at({ id: 7 }), ...user }, ...ann.items.slice(1)]);
    const Items = [stored(1, { epoch: 1 }), stored(2, { epoch: 2 }), stored(3, { epoch: 3 })];
    table.on(QueryCommand).resolves({ Items });
    expect(await create()).toMatchObject({ status: 201 });
    expect(sent(table, DeleteCommand)).toEqual([
      { TableName, Key: userKeys.apiToken.at({ userId: 7, hash: 'hash-1' }) },
    ]);
  });

  it.each(errors)('returns 503 if the query or the write fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await create())).toEqual(busy(aText));
    table.on(QueryCommand).rejects(error);
    expect(told(await create())).toEqual(busy(aText));
  });

  it('returns 500 for a missing grant', async () => {
    table.on(TransactWriteCommand).rejects(accessDenied());
    expect(told(await create())).toEqual(broken(aText));
  });

  it('deletes the item with the id by its key', async () => {
    table.on(QueryCommand).resolves({ Items: [stored(1), stored(2)] });
    const response = await call('DELETE /api/auth/tokens/{id}', {
      token: ann.token,
      params: { id: '2' },
    });
    expect(response.status).toBe(200);
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: aText,
        TransactItems: [
          removal(userKeys.apiToken.at({ userId: 7, hash: 'hash-2' })),
          ...auditWrites({
            action: 'token.revoke',
            subject: 'token:2',
            actorId: 7,
            before: { name: 'x', permissions: null, expiresAt: null },
          }),
        ],
      },
    ]);
  });
});
