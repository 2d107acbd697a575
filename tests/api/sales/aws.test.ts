import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { saleKeys } from '../../../functions/api/sales/keys.ts';
import { getMonthlySales } from '../../../functions/api/sales/statistics.ts';
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
import { auditWrites } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';

// Pauses between attempts end immediately.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const TableName = 'handbill-test';
const now = '2026-11-21T12:00:00.000Z';
const table = useMockedTable(now);
const aText = expect.any(String);

const body = {
  amount: 12.34,
  cost: '2.3',
  customer: 'Ann',
  category: 'Books',
  soldAt: '2026-10-31',
  externalId: 'order-1',
};

/** The stored item. */
const stored = {
  id: expect.any(Number),
  amount: 1_234,
  cost: 230,
  currency: 'EUR',
  customer: 'Ann',
  category: 'Books',
  soldAt: '2026-10-31T00:00:00.000Z',
  externalId: 'order-1',
  createdAt: now,
  updatedAt: now,
  version: 1,
};

const post = async (input: object = body, items: readonly Record<string, unknown>[] = []) => {
  const ann = await signedIn({ extraPermissions: ['sales:create', 'sales:view'] });
  answerReads(table, [...ann.items, ...items]);
  return call('POST /api/sales', { token: ann.token, body: input });
};

const transactions = () => sent(table, TransactWriteCommand);

/** Cancellation reasons in the order of the writes: external id, sale, list, totals, month, category and the rest. */
const failing = (place: number, code = 'ConditionalCheckFailed') =>
  canceled(...Array.from({ length: 10 }, (_, at) => (at === place ? code : 'None')));
const [externalIdPlace, salePlace, categoryPlace] = [0, 1, 5];

const add = (pk: string, sk: string, mustExist = false) => ({
  Update: {
    TableName,
    Key: { pk, sk },
    UpdateExpression: 'ADD sales :sales, profit :profit, orders :orders',
    ...(mustExist && { ConditionExpression: 'attribute_exists(pk)' }),
    ExpressionAttributeValues: { ':sales': 1_234, ':profit': 1_004, ':orders': 1 },
  },
});

const newItem = (Item: object) => ({
  Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' },
});

describe('POST /api/sales', () => {
  it('writes sale, index entry, external id, totals and audit in one transaction', async () => {
    const response = await post();
    expect(response.status).toBe(201);
    const { id } = response.body.data;
    const place = `2026-10-31T00:00:00.000Z#${String(id).padStart(16, '0')}`;
    const [{ TransactItems = [], ClientRequestToken } = {}, ...others] = transactions();
    expect(others).toEqual([]);
    expect(ClientRequestToken).toMatch(/^[\da-f-]{36}$/);
    const pk = String(TransactItems[3]?.Update?.Key?.['pk']);
    expect(pk).toMatch(/^STATS#SALES#EUR#[0-7]$/);
    const { id: _, createdAt: __, updatedAt: ___, version: ____, externalId, ...first } = stored;
    expect(TransactItems).toEqual([
      {
        Put: {
          TableName,
          Item: { pk: 'SALE#EXTERNAL#order-1', sk: 'SALE', id, first },
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      newItem({
        ...stored,
        pk: `SALE#${id}`,
        sk: 'SALE',
        gsi1pk: 'SALES#CUSTOMER#Ann',
        gsi1sk: place,
      }),
      {
        Put: {
          TableName,
          Item: {
            ...stored,
            pk: 'SALES',
            sk: place,
            gsi1pk: 'SALES#CATEGORY#Books',
            gsi1sk: place,
          },
        },
      },
      add(pk, 'ALL'),
      add(pk, 'MONTH#2026-10'),
      add(pk, 'CATEGORY#Books', true),
      {
        Update: {
          TableName,
          Key: { pk: expect.stringMatching(/^TOTAL#sales#\d+$/), sk: 'TOTAL' },
          UpdateExpression: 'ADD #count :delta',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: { ':delta': 1 },
        },
      },
      ...auditWrites({
        action: 'sale.create',
        subject: `sale:${id}`,
        actorId: 7,
        after: { ...first, externalId, amount: 12.34, cost: 2.3 },
      }),
    ]);
  });

  it('creates a new category in the same shard', async () => {
    table.on(TransactWriteCommand).rejectsOnce(failing(categoryPlace)).resolves({});
    expect((await post()).status).toBe(201);
    const [first, second, ...others] = transactions().map(
      ({ TransactItems = [] }) => TransactItems,
    );
    expect(others).toEqual([]);
    const key = first?.[categoryPlace]?.Update?.Key;
    expect(second?.[categoryPlace]).toEqual(add(String(key?.['pk']), 'CATEGORY#Books'));
    expect(second?.[categoryPlace + 1]).toEqual({
      Update: {
        TableName,
        Key: { pk: 'STATS#SALES#EUR', sk: 'CATEGORIES' },
        UpdateExpression: 'ADD #names :names',
        ConditionExpression:
          'attribute_not_exists(#names) OR contains(#names, :name) OR size(#names) < :max',
        ExpressionAttributeNames: { '#names': 'names' },
        ExpressionAttributeValues: {
          ':names': new Set(['Books']),
          ':name': 'Books',
          ':max': 100,
        },
      },
    });
  });

  it('uses another id if the first is in use', async () => {
    table.on(TransactWriteCommand).rejectsOnce(failing(salePlace)).resolves({});
    const { status, body: made } = await post();
    expect([status, transactions().length]).toEqual([201, 2]);
    expect(transactions()[1]?.TransactItems?.[salePlace]?.Put?.Item?.['id']).toBe(made.data.id);
  });

  it('returns 503 if every id is in use', async () => {
    table.on(TransactWriteCommand).rejects(failing(salePlace));
    const response = await post();
    expect([response.status, transactions().length]).toEqual([503, 8]);
  });

  it('reads the sale with the external id and writes nothing more', async () => {
    const id = 244_212_480_008_192;
    const first = { amount: 1_234, cost: 230, currency: 'EUR', soldAt: stored.soldAt };
    table.on(TransactWriteCommand).callsFake(() => {
      const error = failing(externalIdPlace);
      const [reason] = error.CancellationReasons ?? [];
      if (reason)
        reason.Item = marshall({
          ...saleKeys.byExternalId.at({ externalId: 'order-1' }),
          id,
          first,
        });
      throw error;
    });
    const item = { ...stored, id, ...saleKeys.record.at({ id }) };
    const again = await post(body, [item]);
    expect([again.status, again.body.data.id, again.headers['idempotency-replayed']]).toEqual([
      201,
      id,
      'true',
    ]);
    expect((await post({ ...body, cost: null }, [item])).status).toBe(409);
    expect(transactions()).toHaveLength(2);
    expect(sent(table, BatchGetCommand).at(-1)?.RequestItems?.[TableName]).toEqual({
      Keys: [saleKeys.record.at({ id })],
      ConsistentRead: true,
    });
  });

  it.each(['TransactionConflict', 'ThrottlingError'])(
    'retries after %s with the same token',
    async (code) => {
      const error = failing(3, code);
      table.on(TransactWriteCommand).rejectsOnce(error).rejectsOnce(error).resolves({});
      expect((await post()).status).toBe(201);
      const tokens = transactions().map(({ ClientRequestToken }) => ClientRequestToken);
      expect([tokens.length, new Set(tokens).size]).toEqual([3, 1]);
    },
  );

  it('returns 503 after repeated concurrent writes', async () => {
    table.on(TransactWriteCommand).rejects(failing(3, 'TransactionConflict'));
    expect(told(await post())).toEqual(busy(aText));
    // As often as 2 s allow.
    expect(transactions().length).toBeGreaterThan(1);
    expect(transactions().length).toBeLessThanOrEqual(8);
  });

  it.each(passingErrors())('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await post())).toEqual(busy(aText));
  });

  it('returns 500 if writing is not permitted', async () => {
    table.on(TransactWriteCommand).rejects(accessDenied());
    expect(told(await post())).toEqual(broken(aText));
  });
});

describe('getMonthlySales', () => {
  it('sends eight consistent queries and reads each to its end', async () => {
    const item = (n: number) => ({ sk: 'MONTH#2026-11', sales: n, profit: 1, orders: 1 });
    table
      .on(QueryCommand)
      .callsFake(({ ExclusiveStartKey }) =>
        ExclusiveStartKey
          ? { Items: [item(200)], ScannedCount: 1 }
          : { Items: [item(100)], ScannedCount: 1, LastEvaluatedKey: { pk: 'x', sk: 'y' } },
      );
    expect(await getMonthlySales(2)).toEqual([
      { month: '2026-10', sales: 0, profit: 0, orders: 0 },
      { month: '2026-11', sales: 24, profit: 0.16, orders: 16 },
    ]);
    const queries = sent(table, QueryCommand);
    expect(queries).toHaveLength(16);
    expect(queries[0]).toEqual({
      TableName,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': 'STATS#SALES#EUR#0',
        ':from': 'MONTH#2026-10',
        ':to': 'MONTH#2026-11',
      },
      ConsistentRead: true,
      Limit: 101,
      ExclusiveStartKey: undefined,
    });
  });

  it.each(passingErrors())('throws the error of the table: %s', async (_, error) => {
    table.on(QueryCommand).rejects(error);
    await expect(getMonthlySales(2)).rejects.toBe(error);
  });
});
