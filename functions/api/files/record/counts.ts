import { randomInt } from 'node:crypto';
import { incrementTotal, readTotal } from '../../../../shared/counters/total.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { isReady, type StoredFile } from './file.ts';
import { fileKeys } from './keys.ts';

/** Few writes change a user's counters concurrently, in contrast to the totals. */
const shards = 4;

const isListed = (file: StoredFile | undefined): boolean => file !== undefined && isReady(file);

const isPublic = (file: StoredFile | undefined): boolean =>
  isListed(file) && file?.visibility === 'everyone';

/** Lists the users whose counts include a file: its owner and readers, unless it is public. */
const listCountedUsers = (file: StoredFile | undefined): Set<number> =>
  new Set(
    file && isReady(file) && file.visibility !== 'everyone'
      ? [file.ownerId, ...file.sharedWith]
      : [],
  );

const totalWrite = (
  kind: Parameters<typeof incrementTotal>[0],
  before: boolean,
  after: boolean,
): Write | undefined => (before === after ? undefined : incrementTotal(kind, after ? 1 : -1));

const incrementCount = (userId: number, delta: 1 | -1): Write => ({
  Update: {
    TableName: tableName(),
    Key: fileKeys.counts.at({ userId, shard: randomInt(shards) }),
    UpdateExpression: 'ADD seen :delta',
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/** Creates the writes that update the counts for a change of a file, for the transaction of that change. */
export const countWrites = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Readonly<Record<'total' | 'publicTotal' | `count${number}`, Write | undefined>> => {
  const [oldUsers, newUsers] = [listCountedUsers(before), listCountedUsers(after)];
  const userCounts = [...new Set([...oldUsers, ...newUsers])]
    .filter((userId) => oldUsers.has(userId) !== newUsers.has(userId))
    .map(
      (userId) =>
        [`count${userId}`, incrementCount(userId, newUsers.has(userId) ? 1 : -1)] as const,
    );
  return {
    total: totalWrite('files', isListed(before), isListed(after)),
    publicTotal: totalWrite('files-of-everyone', isPublic(before), isPublic(after)),
    ...Object.fromEntries(userCounts),
  };
};

/** Counts all files and folders, for managers. */
export const countAll = (): Promise<number> => readTotal('files');

/** Counts the files and folders that a user sees: the user's own, shared and public ones. */
export const countVisible = async (userId: number): Promise<number> => {
  const [items, publicCount] = await Promise.all([
    batchGet(Array.from({ length: shards }, (_, shard) => fileKeys.counts.at({ userId, shard }))),
    readTotal('files-of-everyone'),
  ]);
  return items.reduce((sum, item) => sum + Number(item?.['seen'] ?? 0), publicCount);
};
