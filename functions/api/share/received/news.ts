import { userKeys } from '../../../../shared/auth/keys.ts';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { readFilteredSlice } from '../../../../shared/db/query.ts';
import { queryAfter } from '../../../../shared/lists/partition-query.ts';
import { shareKeys } from '../record/keys.ts';
import { listPartitions } from './list.ts';
import { maxNew } from './schemas.ts';

/** Reads up to when a user has seen what others share (ISO 8601): before the first visit, since the account exists. */
const readSeenAt = async (userId: number): Promise<string> => {
  const [seen, user] = await batchGet([
    shareKeys.seen.at({ userId }),
    userKeys.record.at({ id: userId }),
  ]);
  return (seen?.['seenAt'] ?? user?.['createdAt'] ?? new Date().toISOString()) as string;
};

/** Marks what was shared with a user up to a time (ISO 8601) as seen. Returns up to when it is: later ones stay so. */
export const markSeen = async (userId: number, until: string): Promise<string> => {
  const { item } = await conditionalUpdate({
    Key: shareKeys.seen.at({ userId }),
    UpdateExpression: 'SET seenAt = :until',
    ConditionExpression: 'attribute_not_exists(seenAt) OR seenAt < :until',
    ExpressionAttributeValues: { ':until': until },
  });
  return (item?.['seenAt'] as string | undefined) ?? until;
};

/** Counts what others shared with a user after a time (ISO 8601), by the entries alone. */
const countNew = async (userId: number, seenAt: string): Promise<number> => {
  const { named, forMembers } = listPartitions(userId);
  const partitions = [...named, ...forMembers];
  // Sorts after the entries of this time.
  const from = { sk: `${seenAt}~` };
  const counts = await Promise.all(
    partitions.map(async (partition) => {
      const query = queryAfter(partition, false, from);
      const { items } = await readFilteredSlice(
        {
          ...query,
          FilterExpression: 'ownerId <> :me',
          ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':me': userId },
        },
        maxNew,
        undefined,
        maxNew,
      );
      return items.length;
    }),
  );
  return Math.min(
    maxNew,
    counts.reduce((sum, count) => sum + count, 0),
  );
};

/** Reads up to when a user has seen what others share (ISO 8601), and how much is new, at most {@link maxNew}. */
export const readNews = async (
  userId: number,
): Promise<{ readonly seenAt: string; readonly count: number }> => {
  const seenAt = await readSeenAt(userId);
  return { seenAt, count: await countNew(userId, seenAt) };
};
