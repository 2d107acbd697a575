import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  TransactionCanceledException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type DynamoDbEngine,
  EngineStartError,
  startDynamoDb,
} from '../infra/local/dynamodb/engine.ts';

const TableName = 'things';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

interface Clients {
  client: DynamoDBClient;
  doc: DynamoDBDocumentClient;
}

const clientsOf = (endpoint: string): Clients => {
  const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
  return { client, doc: DynamoDBDocumentClient.from(client) };
};

const createTable = (client: DynamoDBClient, name = TableName) =>
  client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'gsi1',
          KeySchema: [
            { AttributeName: 'gsi1pk', KeyType: 'HASH' },
            { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );

const itemsOf = (doc: DynamoDBDocumentClient) => ({
  async get(pk: string, sk = '1') {
    return (await doc.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true })))
      .Item;
  },
  put: (item: Record<string, unknown>) =>
    doc.send(new PutCommand({ TableName, Item: { sk: '1', ...item } })),
  transact: (
    TransactItems: NonNullable<TransactWriteCommandInput['TransactItems']>,
    options: Omit<TransactWriteCommandInput, 'TransactItems'> = {},
  ) => doc.send(new TransactWriteCommand({ TransactItems, ...options })),
});

const increment = (pk: string, limit?: number) => ({
  TableName,
  Key: { pk, sk: '1' },
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': 1, ...(limit !== undefined && { ':limit': limit }) },
  ...(limit !== undefined && { ConditionExpression: 'attribute_not_exists(n) OR n < :limit' }),
});

/** The class below both kinds of store. */
interface Level {
  attachResource(resource: object): void;
  detachResource(resource: object): void;
  getSync(key: string, ...options: unknown[]): unknown;
  batch(writes: { key: string; value?: unknown }[], ...options: unknown[]): Promise<void>;
}
const fromDynalite = createRequire(createRequire(import.meta.url).resolve('dynalite'));
const { AbstractLevel } = createRequire(fromDynalite.resolve('level'))('abstract-level') as {
  AbstractLevel: { prototype: Level };
};

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)));

const fulfilled = (results: PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === 'fulfilled').length;

const errorOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('should have been refused'),
    (error: unknown) => error,
  );

const reasonsOf = async (promise: Promise<unknown>) => {
  const error = await errorOf(promise);
  expect(error).toBeInstanceOf(TransactionCanceledException);
  return (error as TransactionCanceledException).CancellationReasons;
};

describe.each(['in memory', 'on disk'])('%s', (place) => {
  let folder: string | undefined;
  let engine: DynamoDbEngine;
  let client: DynamoDBClient;
  let doc: DynamoDBDocumentClient;
  let items: ReturnType<typeof itemsOf>;

  beforeEach(async () => {
    folder = place === 'on disk' ? await mkdtemp(join(tmpdir(), 'dynamodb-')) : undefined;
    engine = await startDynamoDb(folder === undefined ? {} : { path: folder });
    ({ client, doc } = clientsOf(engine.endpoint));
    items = itemsOf(doc);
    await createTable(client);
  });

  afterEach(async () => {
    vi.useRealTimers();
    client.destroy();
    await engine.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  describe('TransactWriteItems', () => {
    it('applies Put, Update, Delete and ConditionCheck together, indexes included', async () => {
      await items.put({ pk: 'gone', gsi1pk: 'group', gsi1sk: 'gone' });
      await items.put({ pk: 'checked' });
      await items.transact([
        { Put: { TableName, Item: { pk: 'put', sk: '1', gsi1pk: 'group', gsi1sk: 'put' } } },
        { Update: increment('updated') },
        { Delete: { TableName, Key: { pk: 'gone', sk: '1' } } },
        {
          ConditionCheck: {
            TableName,
            Key: { pk: 'checked', sk: '1' },
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
      ]);
      const group = await doc.send(
        new QueryCommand({
          TableName,
          IndexName: 'gsi1',
          KeyConditionExpression: 'gsi1pk = :group',
          ExpressionAttributeValues: { ':group': 'group' },
        }),
      );
      expect(group.Items).toEqual([{ pk: 'put', sk: '1', gsi1pk: 'group', gsi1sk: 'put' }]);
      expect(await items.get('updated')).toEqual({ pk: 'updated', sk: '1', n: 1 });
      expect(await items.get('gone')).toBeUndefined();
      expect(await items.get('checked')).toEqual({ pk: 'checked', sk: '1' });
    });

    it('gives a reason for each position, with the old item where asked for', async () => {
      await items.put({ pk: 'taken', owner: 'ann' });
      await items.put({ pk: 'text', n: 'not a number' });
      const taken = (more: object) => ({
        Put: {
          TableName,
          Item: { pk: 'taken', sk: '1', owner: 'bob' },
          ConditionExpression: 'attribute_not_exists(pk)',
          ...more,
        },
      });
      const reasons = await reasonsOf(
        items.transact([
          { Update: increment('counter') },
          taken({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
          { Update: increment('text') },
          {
            Delete: {
              TableName,
              Key: { pk: 'missing', sk: '1' },
              ConditionExpression: 'attribute_exists(pk)',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ]),
      );
      expect(reasons).toEqual([
        { Code: 'None' },
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: { pk: { S: 'taken' }, sk: { S: '1' }, owner: { S: 'ann' } },
        },
        {
          Code: 'ValidationError',
          Message: 'An operand in the update expression has an incorrect data type',
        },
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      ]);
      expect(await items.get('counter')).toBeUndefined();
      expect(await items.get('taken')).toEqual({ pk: 'taken', sk: '1', owner: 'ann' });
      expect(await reasonsOf(items.transact([taken({})]))).toEqual([
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      ]);
    });

    it('names the codes in the message', async () => {
      const check = {
        TableName,
        Key: { pk: 'a', sk: '1' },
        ConditionExpression: 'attribute_exists(pk)',
      };
      await expect(
        items.transact([{ Update: increment('b') }, { ConditionCheck: check }]),
      ).rejects.toThrow(
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',
      );
    });

    it('repeats nothing for a known token, and refuses another request with it', async () => {
      const once = () =>
        items.transact([{ Update: increment('counter') }], { ClientRequestToken: 'token' });
      await once();
      await once();
      await Promise.all([once(), once()]);
      expect(await items.get('counter')).toEqual({ pk: 'counter', sk: '1', n: 1 });
      await expect(
        items.transact([{ Update: increment('other') }], { ClientRequestToken: 'token' }),
      ).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
    });

    it('runs requests with one token once, also when they come together', async () => {
      await times(10, () =>
        items.transact([{ Update: increment('counter') }], { ClientRequestToken: 'together' }),
      );
      expect(await items.get('counter')).toEqual({ pk: 'counter', sk: '1', n: 1 });
    });

    it('accepts one of several requests that bring one token at once', async () => {
      const results = await times(10, (index) =>
        items.transact([{ Update: increment(`counter${index}`) }], { ClientRequestToken: 'token' }),
      );
      expect(fulfilled(results)).toBe(1);
      expect((await doc.send(new ScanCommand({ TableName }))).Count).toBe(1);
    });

    it('forgets a token after ten minutes', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const once = () =>
        items.transact([{ Update: increment('counter') }], { ClientRequestToken: 'token' });
      await once();
      vi.setSystemTime(Date.now() + 10 * 60 * 1000 - 1);
      await once();
      expect(await items.get('counter')).toMatchObject({ n: 1 });
      vi.setSystemTime(Date.now() + 1);
      await once();
      expect(await items.get('counter')).toMatchObject({ n: 2 });
    });

    it('keeps no token of a cancelled transaction', async () => {
      const limited = () =>
        items.transact([{ Update: increment('counter', 1) }], { ClientRequestToken: 'token' });
      await items.put({ pk: 'counter', n: 1 });
      await expect(limited()).rejects.toThrow('ConditionalCheckFailed');
      await items.put({ pk: 'counter', n: 0 });
      await limited();
      expect(await items.get('counter')).toMatchObject({ n: 1 });
    });

    it('takes 100 items and refuses 101', async () => {
      const puts = (count: number) =>
        Array.from({ length: count }, (_, index) => ({
          Put: { TableName, Item: { pk: `many${count}`, sk: String(index) } },
        }));
      const count = async (pk: string) =>
        (
          await doc.send(
            new QueryCommand({
              TableName,
              Select: 'COUNT',
              KeyConditionExpression: 'pk = :pk',
              ExpressionAttributeValues: { ':pk': pk },
            }),
          )
        ).Count;
      await items.transact(puts(100));
      await expect(items.transact(puts(101))).rejects.toMatchObject({
        name: 'ValidationException',
      });
      expect(await count('many100')).toBe(100);
      expect(await count('many101')).toBe(0);
    });

    it('refuses more than 4 MB, and an item of more than 400 KB in UTF-8', async () => {
      const puts = (count: number, content: string) =>
        Array.from({ length: count }, (_, index) => ({
          Put: { TableName, Item: { pk: 'big', sk: String(index), content } },
        }));
      await items.transact(puts(10, 'x'.repeat(400_000)));
      await expect(items.transact(puts(11, 'y'.repeat(400_000)))).rejects.toMatchObject({
        name: 'ValidationException',
      });
      const reasons = await reasonsOf(items.transact(puts(1, 'é'.repeat(300_000))));
      expect(reasons?.[0]).toMatchObject({ Code: 'ValidationError' });
      await expect(items.put({ pk: 'big', content: 'é'.repeat(300_000) })).rejects.toMatchObject({
        name: 'ValidationException',
      });
      expect(await items.get('big', '0')).toMatchObject({ content: 'x'.repeat(400_000) });
    });

    it('refuses two operations on one item, an empty list, mixed operations', async () => {
      const refused = async (
        transactItems: Parameters<typeof items.transact>[0],
        message: string,
      ) =>
        expect(await errorOf(items.transact(transactItems))).toMatchObject({
          name: 'ValidationException',
          message: expect.stringContaining(message),
        });
      const Delete = { TableName, Key: { pk: 'a', sk: '1' } };
      await refused([{ Update: increment('a') }, { Delete }], 'multiple operations on one item');
      await refused([], 'Member must have length greater than or equal to 1');
      await refused([{ Update: increment('a'), Delete }], 'can only contain one of');
      await refused([{}], 'can only contain one of');
      expect(await items.get('a')).toBeUndefined();
    });

    it('refuses unknown tables, reserved words and unused values as a whole', async () => {
      const update = (more: object) => items.transact([{ Update: { ...increment('a'), ...more } }]);
      await expect(update({ TableName: 'nowhere' })).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
      await expect(update({ UpdateExpression: 'SET name = :one' })).rejects.toMatchObject({
        name: 'ValidationException',
      });
      await expect(update({ UpdateExpression: 'REMOVE a' })).rejects.toMatchObject({
        name: 'ValidationException',
      });
    });

    it('gives a key that does not fit the table as a reason', async () => {
      const Key = { pk: 'a' };
      expect(
        await reasonsOf(
          items.transact([{ Update: increment('b') }, { Delete: { TableName, Key } }]),
        ),
      ).toEqual([
        { Code: 'None' },
        {
          Code: 'ValidationError',
          Message: 'The provided key element does not match the schema',
        },
      ]);
    });

    it('charges two units for each KB of the larger of old and new item', async () => {
      const capacity = async (TransactItems: Parameters<typeof items.transact>[0]) =>
        (await items.transact(TransactItems, { ReturnConsumedCapacity: 'TOTAL' })).ConsumedCapacity;
      const put = (content: string) => ({
        Put: { TableName, Item: { pk: 'charged', sk: '1', content } },
      });
      const units = (count: number) => [
        { TableName, CapacityUnits: count, WriteCapacityUnits: count },
      ];
      expect(await capacity([put('small')])).toEqual(units(2));
      expect(await capacity([put('é'.repeat(600))])).toEqual(units(4));
      expect(await capacity([put('x'.repeat(2900))])).toEqual(units(6));
      expect(await capacity([put('small again'), { Update: increment('n') }])).toEqual(units(8));
      expect((await items.transact([put('unasked')])).ConsumedCapacity).toBeUndefined();
    });

    it('charges a repeat for reading', async () => {
      const once = () =>
        items.transact([{ Put: { TableName, Item: { pk: 'a', sk: '1', x: 'x'.repeat(3000) } } }], {
          ClientRequestToken: 'token',
          ReturnConsumedCapacity: 'TOTAL',
        });
      expect((await once()).ConsumedCapacity).toMatchObject([{ WriteCapacityUnits: 6 }]);
      expect((await once()).ConsumedCapacity).toEqual([
        { TableName, CapacityUnits: 2, ReadCapacityUnits: 2 },
      ]);
    });
  });

  describe('TransactGetItems', () => {
    const get = (pk: string, more: object = {}) => ({
      Get: { TableName, Key: { pk, sk: '1' }, ...more },
    });

    it('returns items and gaps by position', async () => {
      await items.put({ pk: 'a', x: 1, y: 2 });
      const { Responses, ConsumedCapacity } = await doc.send(
        new TransactGetCommand({
          TransactItems: [get('none'), get('a', { ProjectionExpression: 'x' })],
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      expect(Responses).toEqual([{}, { Item: { x: 1 } }]);
      expect(ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
    });

    it('refuses an item twice, 101 items and unknown tables', async () => {
      const send = (TransactItems: ReturnType<typeof get>[]) =>
        doc.send(new TransactGetCommand({ TransactItems }));
      const many = Array.from({ length: 101 }, (_, index) => get(`many${index}`));
      await expect(send([get('a'), get('a')])).rejects.toThrow('multiple operations on one item');
      await expect(send(many)).rejects.toThrow('less than or equal to 100');
      await expect(send([get('a', { TableName: 'nowhere' })])).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    });
  });

  describe('ReturnValuesOnConditionCheckFailure', () => {
    const failing = {
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const;
    const old = { pk: 'a', sk: '1', n: 7 };
    const oldItem = { pk: { S: 'a' }, sk: { S: '1' }, n: { N: '7' } };
    const item = async (promise: Promise<unknown>) => {
      const error = await errorOf(promise);
      expect(error).toBeInstanceOf(ConditionalCheckFailedException);
      return (error as ConditionalCheckFailedException).Item;
    };

    it('gives the item of a failed put, update and delete', async () => {
      await items.put(old);
      const Key = { pk: 'a', sk: '1' };
      expect(
        await item(doc.send(new PutCommand({ TableName, Item: { ...Key, n: 8 }, ...failing }))),
      ).toEqual(oldItem);
      expect(
        await item(
          doc.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE n', ...failing })),
        ),
      ).toEqual(oldItem);
      expect(await item(doc.send(new DeleteCommand({ TableName, Key, ...failing })))).toEqual(
        oldItem,
      );
      expect(await items.get('a')).toEqual(old);
    });

    it('gives none when not asked, or when there is none', async () => {
      await items.put(old);
      const { ReturnValuesOnConditionCheckFailure: _, ...unasked } = failing;
      expect(await item(doc.send(new PutCommand({ TableName, Item: old, ...unasked })))).toBe(
        undefined,
      );
      const missing = { TableName, Key: { pk: 'none', sk: '1' } };
      expect(
        await item(
          doc.send(
            new DeleteCommand({
              ...missing,
              ...failing,
              ConditionExpression: 'attribute_exists(pk)',
            }),
          ),
        ),
      ).toBe(undefined);
    });

    it('gives the item as the condition saw it, whoever else writes', async () => {
      const results = await times(60, () =>
        doc.send(
          new UpdateCommand({
            ...increment('counter', 20),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      const seen = results.flatMap((result) =>
        result.status === 'rejected'
          ? [(result.reason as ConditionalCheckFailedException).Item?.['n']]
          : [],
      );
      expect(seen).toEqual(Array.from({ length: 40 }, () => ({ N: '20' })));
    });

    it('refuses another value', async () => {
      await expect(
        doc.send(
          new PutCommand({
            TableName,
            Item: old,
            ReturnValuesOnConditionCheckFailure: 'ALL_NEW' as 'ALL_OLD',
          }),
        ),
      ).rejects.toMatchObject({ name: 'ValidationException' });
    });
  });

  describe('races', () => {
    it('lets exactly N of many conditional updates through', async () => {
      const results = await times(100, () => doc.send(new UpdateCommand(increment('c', 30))));
      expect(fulfilled(results)).toBe(30);
      expect(await items.get('c')).toMatchObject({ n: 30 });
    });

    it('lets exactly N of many transactions through, each with its ledger entry', async () => {
      const results = await times(100, (index) =>
        items.transact([
          { Update: increment('c', 30) },
          { Put: { TableName, Item: { pk: 'ledger', sk: String(index) } } },
        ]),
      );
      const ledger = await doc.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': 'ledger' },
        }),
      );
      expect(fulfilled(results)).toBe(30);
      expect(ledger.Count).toBe(30);
      expect(await items.get('c')).toMatchObject({ n: 30 });
    });

    it('loses no update between plain requests and transactions in any order of keys', async () => {
      const results = await times(120, async (index) => {
        const [first, second] = index % 2 ? ['a', 'b'] : ['b', 'a'];
        if (index % 3 === 0) await doc.send(new UpdateCommand(increment('a')));
        else await items.transact([{ Update: increment(first) }, { Update: increment(second) }]);
      });
      expect(fulfilled(results)).toBe(120);
      expect(await items.get('a')).toMatchObject({ n: 120 });
      expect(await items.get('b')).toMatchObject({ n: 80 });
    });

    it('creates an item once', async () => {
      const results = await times(50, (index) =>
        doc.send(
          new PutCommand({
            TableName,
            Item: { pk: 'one', sk: '1', index },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
      expect(fulfilled(results)).toBe(1);
    });

    it('shows no reader half of a transaction', async () => {
      const sorts = Array.from({ length: 50 }, (_, index) => String(index));
      const write = (version: number) =>
        items.transact(
          sorts.map((sk) => ({ Put: { TableName, Item: { pk: 'whole', sk, version } } })),
        );
      const keys = sorts.map((sk) => ({ pk: 'whole', sk }));
      const readers = {
        query: async () =>
          (
            await doc.send(
              new QueryCommand({
                TableName,
                KeyConditionExpression: 'pk = :pk',
                ExpressionAttributeValues: { ':pk': 'whole' },
              }),
            )
          ).Items ?? [],
        scan: async () => (await doc.send(new ScanCommand({ TableName }))).Items ?? [],
        batchGet: async () =>
          (await doc.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys } } })))
            .Responses?.[TableName] ?? [],
        transactGet: async () =>
          (
            (
              await doc.send(
                new TransactGetCommand({
                  TransactItems: keys.map((Key) => ({ Get: { TableName, Key } })),
                }),
              )
            ).Responses ?? []
          ).map(({ Item }) => Item ?? {}),
      };
      await write(0);
      let writing = true;
      const seen: number[] = [];
      const reading = Object.values(readers).map(async (read) => {
        while (writing) {
          const versions = (await read()).map((item) => item['version'] as number);
          expect(versions).toHaveLength(sorts.length);
          expect(new Set(versions).size).toBe(1);
          seen.push(versions[0] as number);
        }
      });
      for (let version = 1; version <= 60; version++) await write(version);
      writing = false;
      await Promise.all(reading);
      expect(new Set(seen).size).toBeGreaterThan(1);
    });
  });

  describe('time to live', () => {
    const now = Date.UTC(2030, 0, 1);
    const seconds = now / 1000;
    const setTtl = (Enabled: boolean, AttributeName = 'ttl') =>
      client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { Enabled, AttributeName },
        }),
      );
    const described = async () =>
      (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;
    const remaining = async () =>
      ((await doc.send(new ScanCommand({ TableName }))).Items ?? []).map(({ pk }) => pk).sort();

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now });
    });

    it('is described, enabled and disabled', async () => {
      expect(await described()).toEqual({ TimeToLiveStatus: 'DISABLED' });
      await setTtl(true);
      expect(await described()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
      await expect(setTtl(true)).rejects.toThrow('TimeToLive is already enabled');
      await expect(setTtl(false, 'other')).rejects.toThrow('different AttributeName');
      await setTtl(false);
      await expect(setTtl(false)).rejects.toThrow('TimeToLive is already disabled');
      expect(await described()).toEqual({ TimeToLiveStatus: 'DISABLED' });
    });

    it('deletes what has expired and nothing else, from the index too', async () => {
      await setTtl(true);
      const fiveYears = 5 * 365 * 24 * 60 * 60;
      await items.put({ pk: 'expired', ttl: seconds - 1, gsi1pk: 'group', gsi1sk: '1' });
      await items.put({ pk: 'now', ttl: seconds });
      await items.put({ pk: 'later', ttl: seconds + 1 });
      await items.put({ pk: 'text', ttl: String(seconds - 1) });
      await items.put({ pk: 'nested', inner: { ttl: seconds - 1 } });
      await items.put({ pk: 'ancient', ttl: seconds - fiveYears });
      await items.put({ pk: 'without' });
      await engine.sweep();
      expect(await remaining()).toEqual(['ancient', 'later', 'nested', 'now', 'text', 'without']);
      const index = await doc.send(new ScanCommand({ TableName, IndexName: 'gsi1' }));
      expect(index.Items).toEqual([]);

      vi.setSystemTime(now + 2000);
      await engine.sweep();
      expect(await remaining()).toEqual(['ancient', 'nested', 'text', 'without']);
    });

    it('spares an item that is renewed while the sweep runs', async () => {
      await setTtl(true);
      await times(100, (index) => items.put({ pk: `item${index}`, ttl: seconds - 1 }));
      const renewals = times(100, (index) =>
        doc.send(
          new UpdateCommand({
            TableName,
            Key: { pk: `item${index}`, sk: '1' },
            UpdateExpression: 'SET #ttl = :later',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeNames: { '#ttl': 'ttl' },
            ExpressionAttributeValues: { ':later': seconds + 100 },
          }),
        ),
      );
      await engine.sweep();
      const renewed = fulfilled(await renewals);
      expect(await remaining()).toHaveLength(renewed);
    });

    it('does nothing on a table that has it disabled', async () => {
      await setTtl(true);
      await setTtl(false);
      await items.put({ pk: 'expired', ttl: seconds - 1 });
      await engine.sweep();
      expect(await remaining()).toEqual(['expired']);
    });
  });

  describe('tables', () => {
    it('are ACTIVE when created, and listed', async () => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      expect(Table).toMatchObject({
        TableStatus: 'ACTIVE',
        GlobalSecondaryIndexes: [{ IndexName: 'gsi1', IndexStatus: 'ACTIVE' }],
      });
      await createTable(client, 'another');
      const { TableNames } = await client.send(new ListTablesCommand({}));
      expect(TableNames).toEqual(['another', 'things']);
    });

    it('are created once', async () => {
      const results = await times(5, () => createTable(client, 'race'));
      expect(fulfilled(results)).toBe(1);
      await expect(createTable(client)).rejects.toMatchObject({ name: 'ResourceInUseException' });
    });

    it('leave nothing behind when deleted', async () => {
      await items.put({ pk: 'a', gsi1pk: 'group', gsi1sk: '1' });
      await client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
        }),
      );
      await client.send(new DeleteTableCommand({ TableName }));
      await expect(items.get('a')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
      await expect(client.send(new DeleteTableCommand({ TableName }))).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
      await createTable(client);
      expect((await doc.send(new ScanCommand({ TableName }))).Items).toEqual([]);
      expect((await doc.send(new ScanCommand({ TableName, IndexName: 'gsi1' }))).Items).toEqual([]);
      const { TimeToLiveDescription } = await client.send(
        new DescribeTimeToLiveCommand({ TableName }),
      );
      expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'DISABLED' });
    });

    it('refuse an empty string as key of an index', async () => {
      await expect(items.put({ pk: 'a', gsi1pk: '', gsi1sk: '1' })).rejects.toMatchObject({
        name: 'ValidationException',
        message: expect.stringContaining('IndexKey: gsi1pk'),
      });
    });
  });

  describe('queries', () => {
    it('page through an index forwards and backwards, each item once', async () => {
      await times(25, (index) => items.put({ pk: `p${index}`, gsi1pk: 'group', gsi1sk: 'same' }));
      for (const ScanIndexForward of [true, false]) {
        const seen: unknown[] = [];
        let start: Record<string, unknown> | undefined;
        do {
          const page = await doc.send(
            new QueryCommand({
              TableName,
              IndexName: 'gsi1',
              KeyConditionExpression: 'gsi1pk = :group',
              ExpressionAttributeValues: { ':group': 'group' },
              Limit: 7,
              ScanIndexForward,
              ...(start && { ExclusiveStartKey: start }),
            }),
          );
          seen.push(...(page.Items ?? []).map(({ pk }) => pk));
          start = page.LastEvaluatedKey;
        } while (start);
        expect(seen.toSorted()).toEqual(Array.from({ length: 25 }, (_, i) => `p${i}`).toSorted());
      }
    });

    it('keep a batch write of several items and their index together', async () => {
      await doc.send(
        new BatchWriteCommand({
          RequestItems: {
            [TableName]: Array.from({ length: 25 }, (_, index) => ({
              PutRequest: {
                Item: { pk: `b${index}`, sk: '1', gsi1pk: 'batch', gsi1sk: `${index}` },
              },
            })),
          },
        }),
      );
      const index = await doc.send(new ScanCommand({ TableName, IndexName: 'gsi1' }));
      const table = await doc.send(new ScanCommand({ TableName }));
      expect(index.Count).toBe(25);
      expect(table.Count).toBe(25);
    });
  });

  describe('requests that are not DynamoDB’s', () => {
    const send = (body: string, headers: Record<string, string> = {}) =>
      fetch(engine.endpoint, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=x',
          'x-amz-target': 'DynamoDB_20120810.PutItem',
          ...headers,
        },
      });
    const key = { pk: { S: 'a' }, sk: { S: '1' } };
    const nested = (depth: number): string =>
      `${'{"M":{"m":'.repeat(depth)}{"S":""}${'}}'.repeat(depth)}`;
    const bodies: Record<string, string> = {
      nothing: '',
      'no JSON': '{"TableName":',
      'JSON that is no object': '[1]',
      null: 'null',
      'an empty object': '{}',
      'a number for the table': '{"TableName":1}',
      'null for an attribute': JSON.stringify({ TableName, Item: { ...key, x: null }, Key: key }),
      'a list for an attribute': JSON.stringify({ TableName, Item: { ...key, x: [] }, Key: [] }),
      'an attribute without type': JSON.stringify({ TableName, Item: { ...key, x: {} } }),
      'a number that is none': JSON.stringify({ TableName, Item: { ...key, x: { N: 'x' } } }),
      'null in a list': JSON.stringify({ TableName, Item: { ...key, x: { L: [null] } } }),
      'null in a set': JSON.stringify({ TableName, Item: { ...key, x: { NS: [null] } } }),
      'null among names and values': JSON.stringify({
        TableName,
        Item: key,
        Key: key,
        ConditionExpression: '#a = :a',
        ExpressionAttributeNames: { '#a': null },
        ExpressionAttributeValues: { ':a': null },
      }),
      'an expression that does not end': JSON.stringify({
        TableName,
        Item: key,
        Key: key,
        ConditionExpression: '((',
      }),
      'null among transaction items': '{"TransactItems":[null]}',
      'null in a transaction item': '{"TransactItems":[{"Put":null,"Get":null}]}',
      'an empty operation': '{"TransactItems":[{"Put":{},"Get":{}}]}',
      'text for the items': '{"TransactItems":"x","RequestItems":"x"}',
      'null for a table’s requests': `{"RequestItems":{"${TableName}":null}}`,
      'null among a table’s requests': `{"RequestItems":{"${TableName}":[null]}}`,
      'a prototype': `{"TableName":"${TableName}","Item":{"__proto__":{"S":"x"}},"Key":{"__proto__":null}}`,
    };
    const operations = [
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'GetItem',
      'Query',
      'BatchWriteItem',
      'BatchGetItem',
      'TransactWriteItems',
      'TransactGetItems',
      'CreateTable',
      'DescribeTable',
      'UpdateTimeToLive',
    ];

    it.each(Object.entries(bodies))('refuses %s', async (_name, body) => {
      for (const operation of operations) {
        const answer = await send(body, { 'x-amz-target': `DynamoDB_20120810.${operation}` });
        const text = await answer.text();
        // Some bodies fit an operation that ignores their wrong part.
        expect([200, 400], `${operation}: ${text}`).toContain(answer.status);
        expect(JSON.parse(text)).toBeTypeOf('object');
        if (answer.status === 400) expect(JSON.parse(text).__type).toMatch(/#\w+Exception$/);
      }
      expect(await items.get('alive')).toBeUndefined();
    });

    it('survives values nested too deep to walk', async () => {
      const item = `{"pk":{"S":"a"},"sk":{"S":"1"},"deep":${nested(50_000)}}`;
      const answer = await send(`{"TableName":"${TableName}","Item":${item}}`);
      expect(answer.status).toBe(400);
    });

    it('refuses unknown operations', async () => {
      const answer = await send('{}', { 'x-amz-target': 'DynamoDB_20120810.ExecuteStatement' });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        __type: 'com.amazon.coral.service#UnknownOperationException',
      });
    });

    it('refuses more than 16 MB', async () => {
      const { status } = await send('x'.repeat(16 * 1024 * 1024 + 1));
      expect(status).toBe(413);
      expect(await items.get('alive')).toBeUndefined();
    });

    it('refuses web pages: no credentials, no CORS, no foreign host name', async () => {
      const unsigned = await send('{}', { authorization: '', origin: 'https://example.com' });
      expect(unsigned.status).toBe(400);
      expect(await unsigned.json()).toMatchObject({
        __type: 'com.amazon.coral.service#MissingAuthenticationTokenException',
      });
      const preflight = await fetch(engine.endpoint, {
        method: 'OPTIONS',
        headers: { origin: 'https://example.com' },
      });
      expect(preflight.headers.get('access-control-allow-origin')).toBe(null);
      const socket = connect(Number(new URL(engine.endpoint).port), '127.0.0.1');
      socket.end('POST / HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n\r\n');
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 403 /);
      socket.destroy();
    });
  });
});

describe('reads of several items', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const keys = ['1', '2'].map((sk) => ({ pk: 'pair', sk }));
  const reads: Record<string, (doc: DynamoDBDocumentClient) => Promise<unknown[]>> = {
    BatchGetItem: async (doc) =>
      (await doc.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys } } })))
        .Responses?.[TableName] ?? [],
    TransactGetItems: async (doc) => {
      const TransactItems = keys.map((Key) => ({ Get: { TableName, Key } }));
      const { Responses } = await doc.send(new TransactGetCommand({ TransactItems }));
      return (Responses ?? []).map(({ Item }) => Item);
    },
  };

  it.each(Object.entries(reads))('%s shows one moment', async (_name, read) => {
    const engine = await startDynamoDb({});
    const { client, doc } = clientsOf(engine.endpoint);
    await createTable(client);
    const write = (version: number) =>
      itemsOf(doc).transact(keys.map((key) => ({ Put: { TableName, Item: { ...key, version } } })));
    await write(1);
    const { batch, getSync } = AbstractLevel.prototype;
    const batches = vi.spyOn(AbstractLevel.prototype, 'batch');
    await write(2);
    const [[secondWrite] = []] = batches.mock.calls;
    await write(1);

    // In memory a batch takes effect within the call: here, right after the first item is read.
    let written = false;
    vi.spyOn(AbstractLevel.prototype, 'getSync').mockImplementation(function (this: Level, ...key) {
      const value = getSync.apply(this, key);
      if (!written && key[0].startsWith('item-')) {
        written = true;
        void batch.call(this, secondWrite ?? []);
      }
      return value;
    });
    const versions = (await read(doc)).map((item) => (item as { version: number }).version);
    expect(versions).toEqual([1, 1]);
    expect(await itemsOf(doc).get('pair')).toMatchObject({ version: 2 });
    client.destroy();
    await engine.close();
  });
});

describe('what reaches LevelDB', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is one batch for an item and its index, and one for a transaction', async () => {
    const engine = await startDynamoDb({});
    const { client, doc } = clientsOf(engine.endpoint);
    await createTable(client);
    const indexed = (sk: string, gsi1sk: string) => ({ pk: 'a', sk, gsi1pk: 'group', gsi1sk });
    const batches = vi.spyOn(AbstractLevel.prototype, 'batch');
    const written = () =>
      batches.mock.calls.splice(0).map(([writes]) => writes.map(({ key }) => key.split('~')[0]));
    const [item, index] = ['item-things', 'index-global'];

    await itemsOf(doc).put(indexed('1', 'first'));
    expect(written()).toEqual([[index, item]]);
    await itemsOf(doc).put(indexed('1', 'moved'));
    expect(written()).toEqual([[index, index, item]]);
    await itemsOf(doc).transact([
      { Put: { TableName, Item: indexed('2', 'second') } },
      { Delete: { TableName, Key: { pk: 'a', sk: '1' } } },
    ]);
    expect(written()).toEqual([[index, item, index, item]]);
    client.destroy();
    await engine.close();
  });
});

describe('the folder and the port', () => {
  let folder: string;
  const open: DynamoDbEngine[] = [];
  const start = async (options: { path?: string; port?: number }) => {
    const engine = await startDynamoDb(options);
    open.push(engine);
    return engine;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dynamodb-'));
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((engine) => engine.close()));
    await rm(folder, { recursive: true });
  });

  it('keeps tables, items, indexes and time to live', async () => {
    const path = join(folder, 'made', 'when missing');
    const first = await start({ path });
    const before = clientsOf(first.endpoint);
    await createTable(before.client);
    await itemsOf(before.doc).put({ pk: 'a', gsi1pk: 'group', gsi1sk: '1', content: 'kept ✓' });
    await before.client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
      }),
    );
    await first.close();

    const second = await start({ path });
    const { client, doc } = clientsOf(second.endpoint);
    const item = { pk: 'a', sk: '1', gsi1pk: 'group', gsi1sk: '1', content: 'kept ✓' };
    expect(await itemsOf(doc).get('a')).toEqual(item);
    const index = await doc.send(new ScanCommand({ TableName, IndexName: 'gsi1' }));
    expect(index.Items).toEqual([item]);
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName }),
    );
    expect(TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'ttl',
    });
  });

  it('refuses a folder in use, by name, and takes it when it is free', async () => {
    const first = await start({ path: folder });
    const error = await errorOf(startDynamoDb({ path: folder }));
    expect(error).toBeInstanceOf(EngineStartError);
    expect(error).toMatchObject({
      code: 'FOLDER_IN_USE',
      message: expect.stringContaining(folder),
    });
    await first.close();
    await start({ path: folder });
  });

  it('refuses a port in use, by number, and leaves the folder free', async () => {
    const { port } = new URL((await start({})).endpoint);
    expect(await errorOf(startDynamoDb({ path: folder, port: Number(port) }))).toMatchObject({
      name: 'EngineStartError',
      code: 'PORT_TAKEN',
      message: expect.stringContaining(port),
    });
    await start({ path: folder });
  });

  it('refuses a store that can’t be opened', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const broken = { name: 'EngineStartError', code: 'STORE_BROKEN' };
    expect(await errorOf(startDynamoDb({ path: file }))).toMatchObject({
      ...broken,
      message: expect.stringContaining(file),
    });
    const path = join(folder, 'store');
    await (await start({ path })).close();
    await writeFile(join(path, 'CURRENT'), 'garbage');
    expect(await errorOf(startDynamoDb({ path }))).toMatchObject(broken);
  });

  it('closes with connections open, answers what is under way, and closes twice', async () => {
    const engine = await start({ path: folder });
    const { client, doc } = clientsOf(engine.endpoint);
    await createTable(client);
    const stuck = connect(Number(new URL(engine.endpoint).port), '127.0.0.1');
    stuck.on('error', () => {});
    stuck.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: AWS4-x\r\nContent-Length: 9\r\n\r\nhalf',
    );
    const ended = once(stuck, 'close');
    await once(stuck, 'connect');
    const answers = times(20, (index) => itemsOf(doc).put({ pk: `p${index}` }));
    await itemsOf(doc).put({ pk: 'first' });
    await Promise.all([engine.close(), engine.close()]);
    await ended;
    const acknowledged = fulfilled(await answers);

    const again = clientsOf((await start({ path: folder })).endpoint);
    const { Count } = await again.doc.send(new ScanCommand({ TableName }));
    expect(Count).toBeGreaterThanOrEqual(acknowledged + 1);
  });

  describe('open iterators', () => {
    it('are closed when a query, scan or sweep ends early or at its end', async () => {
      const engine = await start({ path: folder });
      const { client, doc } = clientsOf(engine.endpoint);
      await createTable(client);
      await times(300, (index) => itemsOf(doc).put({ pk: 'many', sk: String(index), ttl: 1 }));
      const attached = vi.spyOn(AbstractLevel.prototype, 'attachResource');
      const detached = vi.spyOn(AbstractLevel.prototype, 'detachResource');
      const query = {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': 'many' },
      };
      await times(50, () => doc.send(new QueryCommand({ ...query, Limit: 1 })));
      await times(10, () => doc.send(new QueryCommand(query)));
      await times(10, () => doc.send(new ScanCommand({ TableName, Limit: 2 })));
      await times(10, () => client.send(new ListTablesCommand({})));
      await times(10, () =>
        doc.send(
          new BatchGetCommand({
            RequestItems: { [TableName]: { Keys: [{ pk: 'many', sk: '1' }] } },
          }),
        ),
      );
      await engine.sweep();
      const opened = attached.mock.calls.map(([resource]) => resource);
      const closed = detached.mock.calls.map(([resource]) => resource);
      vi.restoreAllMocks();
      expect(opened.length).toBeGreaterThanOrEqual(90);
      expect(new Set(closed)).toEqual(new Set(opened));
    });
  });

  describe('when the process is killed', () => {
    const main = `
      import { startDynamoDb } from ${JSON.stringify(
        new URL('../infra/local/dynamodb/engine.ts', import.meta.url).href,
      )};
      const { endpoint } = await startDynamoDb({ path: process.argv[1] });
      console.log(endpoint);
    `;
    let child: ChildProcess;

    const startChild = async (): Promise<string> => {
      child = spawn(process.execPath, ['--input-type=module', '--eval', main, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [endpoint] = await once(createInterface(child.stdout as Readable), 'line');
      return endpoint;
    };
    const kill = async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    };

    afterEach(async () => {
      if (child.exitCode === null && child.signalCode === null) await kill();
    });

    it('keeps each transaction whole, and all that were answered', async () => {
      const { client, doc } = clientsOf(await startChild());
      await createTable(client);
      const parts = ['a', 'b', 'c'];
      const answered: string[] = [];
      let sent = 0;
      const write = async () => {
        const sk = String(sent++);
        await itemsOf(doc).transact([
          { Update: increment('count') },
          ...parts.map((pk) => ({
            Put: { TableName, Item: { pk, sk, gsi1pk: pk, gsi1sk: sk, x: 'x'.repeat(1000) } },
          })),
        ]);
        answered.push(sk);
      };
      const writePlain = (sk: string) =>
        itemsOf(doc).put({ pk: 'plain', sk, gsi1pk: 'plain', gsi1sk: sk });
      const writers = times(40, async (index) => {
        for (let round = 0; ; round++) {
          if (index % 2) await write();
          else await writePlain(`${index}-${round}`);
        }
      });
      await vi.waitUntil(() => answered.length > 200, { timeout: 10_000, interval: 1 });
      await kill();
      await writers;

      const engine = await start({ path: folder });
      const after = clientsOf(engine.endpoint).doc;
      const sorts = async (pk: string, index: object) => {
        const { Items = [] } = await after.send(
          new QueryCommand({
            TableName,
            ProjectionExpression: 'sk',
            ExpressionAttributeValues: { ':pk': pk },
            KeyConditionExpression: 'pk = :pk',
            ...index,
          }),
        );
        return Items.map(({ sk }) => sk as string);
      };
      const gsi1 = { IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :pk' };
      const whole = await sorts('a', {});
      for (const pk of parts) {
        expect(await sorts(pk, {})).toEqual(whole);
        expect(await sorts(pk, gsi1)).toEqual(whole);
      }
      expect(await sorts('plain', gsi1)).toEqual(await sorts('plain', {}));
      expect(whole).toEqual(expect.arrayContaining(answered));
      expect(await itemsOf(after).get('count')).toMatchObject({ n: whole.length });
    });
  });
});
