import { type SQLInputValue, type StatementResultingChanges, StatementSync } from 'node:sqlite';
import { BatchGetCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createTable,
  fulfilled,
  increment,
  openStore,
  places,
  TableName,
  times,
  useStore,
} from '../../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  const store = useStore(place);

  describe('races', () => {
    it('allows exactly N of many conditional updates', async () => {
      const results = await times(100, () => store.items.update(increment('c', 30)));
      expect(fulfilled(results)).toBe(30);
      expect(await store.items.get('c')).toMatchObject({ n: 30 });
    });

    it('allows exactly N of many transactions, each with its ledger entry', async () => {
      const results = await times(100, (index) =>
        store.items.transact([
          { Update: increment('c', 30) },
          { Put: { TableName, Item: { pk: 'ledger', sk: String(index) } } },
        ]),
      );
      const ledger = await store.items.partition('ledger');
      expect(fulfilled(results)).toBe(30);
      expect(ledger.Count).toBe(30);
      expect(await store.items.get('c')).toMatchObject({ n: 30 });
    });

    it('does not lose updates of concurrent requests and transactions', async () => {
      const results = await times(120, async (index) => {
        const [first, second] = index % 2 ? ['a', 'b'] : ['b', 'a'];
        if (index % 3 === 0) await store.items.update(increment('a'));
        else
          await store.items.transact([{ Update: increment(first) }, { Update: increment(second) }]);
      });
      expect(fulfilled(results)).toBe(120);
      expect(await store.items.get('a')).toMatchObject({ n: 120 });
      expect(await store.items.get('b')).toMatchObject({ n: 80 });
    });

    it('creates an item once', async () => {
      const results = await times(50, (index) =>
        store.items.write({
          Item: { pk: 'one', sk: '1', index },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
      expect(fulfilled(results)).toBe(1);
    });

    it('never returns a partial transaction', async () => {
      const sorts = Array.from({ length: 50 }, (_, index) => String(index));
      const write = (version: number) =>
        store.items.transact(
          sorts.map((sk) => ({ Put: { TableName, Item: { pk: 'whole', sk, version } } })),
        );
      const keys = sorts.map((sk) => ({ pk: 'whole', sk }));
      const readers = {
        query: async () => (await store.items.partition('whole')).Items ?? [],
        scan: async () => (await store.items.scan()).Items ?? [],
        batchGet: async () =>
          (
            await store.doc.send(
              new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys } } }),
            )
          ).Responses?.[TableName] ?? [],
        transactGet: async () =>
          (
            (
              await store.doc.send(
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

describe('writes to SQLite', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const failing = (isFailing: (sql: string) => boolean) => {
    const run: (...parameters: SQLInputValue[]) => StatementResultingChanges =
      StatementSync.prototype.run;
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
      this: StatementSync,
      ...parameters: unknown[]
    ) {
      if (isFailing(this.sourceSQL)) throw new Error('disk full');
      return run.apply(this, parameters as SQLInputValue[]);
    });
  };

  it.each(places)('undo all concurrent writes when one fails midway, %s', async (place) => {
    const store = await openStore(place);
    await store.items.put({ pk: 'old' });
    failing((sql) => sql.includes('INTO index_'));
    const results = await Promise.allSettled([
      store.items.transact([
        { Put: { TableName, Item: { pk: 'a', sk: '1' } } },
        { Put: { TableName, Item: { pk: 'b', sk: '1', gsi1pk: 'group', gsi1sk: '1' } } },
      ]),
      store.items.transact([{ Delete: { TableName, Key: { pk: 'old', sk: '1' } } }]),
    ]);
    expect(results[0]).toMatchObject({ status: 'rejected' });
    vi.restoreAllMocks();
    expect(await store.items.get('a')).toBeUndefined();
    expect(await store.items.get('b')).toBeUndefined();
    const isDeleted = (await store.items.get('old')) === undefined;
    expect(isDeleted).toBe(results[1].status === 'fulfilled');
    await store.items.put({ pk: 'a' });
    expect(await store.items.get('a')).toBeDefined();
    await store.close();
  });

  it('forget the token and the table of an undone write', async () => {
    const store = await openStore('in memory');
    const write = () =>
      store.items.transact([{ Update: increment('c') }], { ClientRequestToken: 'token' });
    failing((sql) => sql.startsWith('INSERT'));
    await expect(write()).rejects.toMatchObject({ name: 'InternalServerError' });
    await expect(createTable(store.client, 'other')).rejects.toThrow('disk full');
    vi.restoreAllMocks();
    await write();
    expect(await store.items.get('c')).toMatchObject({ n: 1 });
    await createTable(store.client, 'other');
    await store.close();
  });
});
