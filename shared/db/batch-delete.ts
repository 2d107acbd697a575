import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { backOff } from '../runtime/backoff.ts';
import { documentClient, tableName } from './dynamodb.ts';
import type { Key } from './key.ts';

/**
 * Maximum number of writes in a batch.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
const batchLimit = 25;
const maxRounds = 6;

const deleteBatch = async (batch: readonly Key[]): Promise<boolean> => {
  let RequestItems: BatchWriteCommandInput['RequestItems'] = {
    [tableName()]: batch.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  };
  for (let round = 1; Object.keys(RequestItems ?? {}).length > 0; round++) {
    if (round > maxRounds) return false;
    // A throttled table returns what it didn't process.
    if (round > 1) await backOff(round - 1);
    const { UnprocessedItems }: BatchWriteCommandOutput = await documentClient().send(
      new BatchWriteCommand({ RequestItems }),
    );
    RequestItems = UnprocessedItems;
  }
  return true;
};

/** Deletes items whether they exist or not, 25 at a time in parallel. Returns whether all of them are deleted. */
export const batchDelete = async (keys: readonly Key[]): Promise<boolean> => {
  const batches = Array.from({ length: Math.ceil(keys.length / batchLimit) }, (_, at) =>
    keys.slice(at * batchLimit, (at + 1) * batchLimit),
  );
  return (await Promise.all(batches.map(deleteBatch))).every(Boolean);
};
