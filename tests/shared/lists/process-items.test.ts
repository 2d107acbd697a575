import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { deleteItemWrite, transact } from '../../../shared/db/transaction.ts';
import { processItems } from '../../../shared/lists/process-items.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();

const sortKeys = (count: number) =>
  Array.from({ length: count }, (_, at) => String(at).padStart(3, '0'));

/** A partition of so many items, and the query of all of them. */
const listOf = async (pk: string, count: number) => {
  const batches = Array.from({ length: Math.ceil(count / 25) }, (_, at) =>
    sortKeys(count).slice(at * 25, at * 25 + 25),
  );
  for (const batch of batches) {
    const puts = batch.map((sk) => ({ PutRequest: { Item: { pk, sk } } }));
    await documentClient().send(new BatchWriteCommand({ RequestItems: { [tableName()]: puts } }));
  }
  return {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  };
};

describe('processItems', () => {
  it.each([0, 1, 24, 25, 26, 50, 60])(
    'processes each of %i items once, in order',
    async (count) => {
      const query = await listOf(`met ${count}`, count);
      const met: unknown[] = [];
      const isDone = await processItems(
        query,
        async (items) => {
          expect(items.length).toBeGreaterThan(0);
          expect(items.length).toBeLessThanOrEqual(25);
          met.push(...items.map(({ sk }) => sk));
        },
        { deadline: Date.now() + 1 },
      );
      expect(isDone).toBe(true);
      expect(met).toEqual(sortKeys(count));
    },
  );

  it('continues when items are deleted', async () => {
    const query = await listOf('removed', 60);
    let met = 0;
    const remove = async (items: readonly Record<string, unknown>[]) => {
      met += items.length;
      for (const { sk } of items) {
        await transact([deleteItemWrite({ pk: 'removed', sk: sk as string })]);
      }
    };
    expect(await processItems(query, remove, { deadline: Date.now() + 1 })).toBe(true);
    expect(met).toBe(60);
  });

  it('stops at its deadline between two batches and returns false', async () => {
    const query = await listOf('late', 60);
    const met: number[] = [];
    const slowly = async (items: readonly unknown[]) => {
      met.push(items.length);
      pass(600);
    };
    expect(await processItems(query, slowly, { deadline: Date.now() + 1_000 })).toBe(false);
    expect(met).toEqual([25, 25]);
  });
});
