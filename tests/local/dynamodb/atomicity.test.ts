import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDynamoDb } from '../../../infra/local/dynamodb/engine.ts';
import {
  AbstractLevel,
  clientsOf,
  createTable,
  fulfilled,
  increment,
  itemsOf,
  type Level,
  openStore,
  places,
  type Store,
  TableName,
  times,
} from '../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  let store: Store;
  let doc: DynamoDBDocumentClient;
  let items: Store['items'];

  beforeEach(async () => {
    store = await openStore(place);
    ({ doc, items } = store);
  });

  afterEach(async () => {
    await store.close();
  });

  describe('races', () => {
    it('allows exactly N of many conditional updates', async () => {
      const results = await times(100, () => doc.send(new UpdateCommand(increment('c', 30))));
      expect(fulfilled(results)).toBe(30);
      expect(await items.get('c')).toMatchObject({ n: 30 });
    });

    it('allows exactly N of many transactions, each with its ledger entry', async () => {
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

    it('does not lose updates of concurrent requests and transactions', async () => {
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

    it('never returns a partial transaction', async () => {
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

  it.each(Object.entries(reads))('%s reads a consistent snapshot', async (_name, read) => {
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

describe('writes to LevelDB', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('use one batch for an item and its index, and one for a transaction', async () => {
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
