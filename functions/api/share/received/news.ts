import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { type Partition, readFilteredSlice } from '../../../../shared/db/query.ts';
import { queryAfter } from '../../../../shared/lists/partition-query.ts';
import { shareKeys } from '../record/keys.ts';
import { listPartitions } from './list.ts';

/** Counts no more as new: nobody reads a greater number. */
export const maxNew = 100;

/** Returns up to when a user has seen what others share (ISO 8601): until the first visit, since the account exists. */
export const readSeenAt = async ({
  id: userId,
  createdAt,
}: {
  readonly id: number;
  readonly createdAt: string;
}): Promise<string> => {
  const [item] = await batchGet([shareKeys.seen.at({ userId })]);
  return (item?.['seenAt'] as string | undefined) ?? createdAt;
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

/** Counts what others shared with a user after a time (ISO 8601), at most {@link maxNew}, by the entries alone. */
export const countNew = async (userId: number, seenAt: string): Promise<number> => {
  const { named, forMembers } = listPartitions(userId);
  const partitions: readonly Partition[] = [{ pk: named.pk, prefix: named.sk }, ...forMembers];
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
