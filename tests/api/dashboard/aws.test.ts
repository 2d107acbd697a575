import {
  BatchGetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { recount } from '../../../functions/jobs/recount/recount.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { counterKeys } from '../../../shared/counters/keys.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  passingErrors,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { useMockedTable } from '../../support/aws/stores.ts';
import { call } from '../../support/service/call.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = useMockedTable('2026-11-21T12:00:00.000Z');
const TableName = 'handbill-test';
const names = ['stats', 'visits', 'sales', 'pie', 'tasks', 'calendar'];

describe.each(names)('GET /api/dashboard/%s', (name) => {
  let token: string;
  beforeEach(async () => {
    const ann = await signedIn({ extraPermissions: ['dashboard:view'] });
    token = ann.token;
    answerReads(table, ann.items);
    table.on(QueryCommand).resolves({ Items: [], ScannedCount: 0 });
  });
  const ask = () => call(`GET /api/dashboard/${name}`, { token });

  it('reads with strong consistency and writes nothing', async () => {
    expect((await ask()).status).toBe(200);
    const queries = sent(table, QueryCommand);
    expect(queries.filter(({ ConsistentRead }) => !ConsistentRead)).toEqual([]);
    expect(sent(table, ScanCommand)).toEqual([]);
    expect(sent(table, TransactWriteCommand)).toEqual([]);
  });

  it.each(passingErrors())('returns 503 after %s', async (_, error) => {
    table.on(QueryCommand).rejects(error);
    const response = await ask();
    expect(told(response)).toEqual(busy(response.body.error.requestId));
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('hides the AWS message about a missing grant', async () => {
    table.on(QueryCommand).rejects(accessDenied());
    const response = await ask();
    expect(told(response)).toEqual(broken(response.body.error.requestId));
  });
});

describe('recounting', () => {
  const user = { ...userKeys.record.at({ id: 7 }), id: 7, role: 'user', status: 'inactive' };
  const createdAt = '2026-11-01T00:00:00.000Z';
  const month = { ...accountKeys.joined.at({ month: '2026-11', shard: 2 }), count: 1 };
  const total = { ...counterKeys.total.at({ counted: 'users', shard: 4 }), count: 3 };
  beforeEach(() => {
    answerReads(table, [month, total]);
    table.on(ScanCommand).callsFake(async ({ ExclusiveStartKey }: ScanCommand['input']) =>
      ExclusiveStartKey
        ? { Items: [month, total], ScannedCount: 2 }
        : {
            Items: [{ ...user, createdAt }],
            ScannedCount: 1,
            LastEvaluatedKey: { pk: user.pk, sk: user.sk },
          },
    );
  });

  it('reads the whole table in consistent pages, without contents', async () => {
    await recount();
    const page = {
      TableName,
      ConsistentRead: true,
      Limit: 500,
      FilterExpression: 'sk <> :texts',
      ExpressionAttributeValues: { ':texts': 'TEXTS' },
    };
    const next = { ...page, ExclusiveStartKey: { pk: user.pk, sk: user.sk } };
    expect(sent(table, ScanCommand)).toEqual([page, next, page, next, page, next]);
    expect(sent(table, TransactWriteCommand)).toEqual([]);
  });

  it('repairs a counter if all of its shards are unchanged', async () => {
    const difference = { name: 'total of users', attribute: 'count', stored: 3n, actual: 1n };
    const found = { differences: [difference], unstable: [], repaired: [difference] };
    expect(await recount({ apply: true })).toEqual(found);
    const places = Array.from({ length: 16 }, (_, shard) => ({
      ConditionCheck: {
        TableName,
        Key: counterKeys.total.at({ counted: 'users', shard }),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    }));
    const correction = {
      Update: {
        TableName,
        Key: counterKeys.total.at({ counted: 'users', shard: 4 }),
        ConditionExpression: 'attribute_exists(pk) AND #0 = :expected0',
        UpdateExpression: 'ADD #d0 :d0',
        ExpressionAttributeNames: { '#0': 'count', '#d0': 'count' },
        ExpressionAttributeValues: { ':expected0': 3, ':d0': -2n },
      },
    };
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        TransactItems: places.with(4, correction as never),
      },
    ]);
  });

  it('repairs a user counter only if it still exists', async () => {
    const shares = { ...shareKeys.ownCount.at({ ownerId: 7 }), shares: 2 };
    answerReads(table, [shares, user]);
    table.on(ScanCommand).resolves({ Items: [shares], ScannedCount: 1 });
    await recount({ apply: true });
    expect(sent(table, TransactWriteCommand)[0]?.TransactItems?.at(-1)).toEqual({
      ConditionCheck: {
        TableName,
        Key: userKeys.record.at({ id: 7 }),
        ConditionExpression: 'attribute_exists(pk)',
      },
    });
  });

  it('repairs nothing if a shard has changed', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('ConditionalCheckFailed', ...Array(15).fill('None')));
    expect(await recount({ apply: true })).toMatchObject({
      unstable: ['total of users'],
      repaired: [],
    });
  });

  it('retries a conflict', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('TransactionConflict', ...Array(15).fill('None')))
      .resolves({});
    expect((await recount({ apply: true })).repaired).toHaveLength(1);
    const [first, second] = sent(table, TransactWriteCommand);
    expect(second).toEqual(first);
  });

  it.each(passingErrors())('fails with %s and repairs nothing', async (_, error) => {
    table.on(ScanCommand).rejects(error);
    await expect(recount({ apply: true })).rejects.toBe(error);
    expect(sent(table, BatchGetCommand)).toEqual([]);
    expect(sent(table, TransactWriteCommand)).toEqual([]);
  });
});
