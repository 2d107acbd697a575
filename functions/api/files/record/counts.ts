import { randomInt } from 'node:crypto';
import { incrementTotal, readTotal } from '../../../../shared/counters/total.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { isReady, type StoredFile } from './file.ts';

/** A user's files come from few hands at once, where those of all come from many. */
const shards = 4;

const isThere = (file: StoredFile | undefined): boolean => file !== undefined && isReady(file);

const isEveryones = (file: StoredFile | undefined): boolean =>
  isThere(file) && file?.visibility === 'everyone';

/** Those who see it without its being everyone's. */
const countViewers = (file: StoredFile | undefined): Set<number> =>
  new Set(
    file && isReady(file) && file.visibility !== 'everyone'
      ? [file.ownerId, ...file.sharedWith]
      : [],
  );

const moved = (
  counted: Parameters<typeof incrementTotal>[0],
  before: boolean,
  after: boolean,
): Write | undefined => (before === after ? undefined : incrementTotal(counted, after ? 1 : -1));

const moveCount = (userId: number, delta: 1 | -1): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.fileCounts(userId, randomInt(shards)),
    UpdateExpression: 'ADD seen :delta',
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/** The writes that move the totals as a file goes from `before` to `after`, for the transaction that does so. */
export const countWrites = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Readonly<Record<'total' | 'everyonesTotal' | `count${number}`, Write | undefined>> => {
  const [old, fresh] = [countViewers(before), countViewers(after)];
  const ofUsers = [...new Set([...old, ...fresh])]
    .filter((userId) => old.has(userId) !== fresh.has(userId))
    .map((userId) => [`count${userId}`, moveCount(userId, fresh.has(userId) ? 1 : -1)] as const);
  return {
    total: moved('files', isThere(before), isThere(after)),
    everyonesTotal: moved('files-of-everyone', isEveryones(before), isEveryones(after)),
    ...Object.fromEntries(ofUsers),
  };
};

/** How many files and folders there are in all, for those who see all. */
export const countAll = (): Promise<number> => readTotal('files');

/** How many files and folders a user sees: own ones, shared ones, and everyone's. */
export const countVisible = async (userId: number): Promise<number> => {
  const [items, everyones] = await Promise.all([
    batchGet(Array.from({ length: shards }, (_, shard) => keys.fileCounts(userId, shard))),
    readTotal('files-of-everyone'),
  ]);
  return items.reduce((sum, item) => sum + Number(item?.['seen'] ?? 0), everyones);
};
