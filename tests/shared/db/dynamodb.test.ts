import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { useTable } from '../../support/table/table.ts';

useTable();

const key = (at: number) => ({ pk: 'LIST', sk: String(at).padStart(3, '0') });

beforeAll(async () => {
  for (let from = 0; from < 150; from += 25) {
    const requests = Array.from({ length: 25 }, (_, at) => ({
      PutRequest: { Item: { ...key(from + at), at: from + at } },
    }));
    await documentClient().send(
      new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }),
    );
  }
});

const read = async (numbers: readonly number[]) =>
  (await batchGet(numbers.map(key))).map((item) => item?.['at']);

describe('batchGet', () => {
  it('returns items in the requested order, and undefined for missing ones', async () => {
    expect(await read([7, 999, 3, 149])).toEqual([7, undefined, 3, 149]);
    expect(await read([])).toEqual([]);
  });

  it('accepts more keys than a batch', async () => {
    const numbers = Array.from({ length: 150 }, (_, at) => 149 - at);
    expect(await read(numbers)).toEqual(numbers);
  });

  it('returns an item for each duplicate key', async () => {
    expect(await read([5, 6, 5, 5])).toEqual([5, 6, 5, 5]);
  });
});
