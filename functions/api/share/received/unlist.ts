import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { type Step, transact, type Write } from '../../../../shared/db/transaction.ts';
import { isInAudience, isOpenToAll } from '../record/audience.ts';
import { shareKeys } from '../record/keys.ts';
import { notFound, parseShare, retryOnConflict, type StoredShare } from '../record/share.ts';
import { parseReader, type ReaderEntry, unlistWrites } from './entries.ts';

/** Requires that a share is for all members: once it isn’t, a job deletes the marks of those who removed it. */
const membersCheck = (id: string): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: shareKeys.record.at({ id }),
    ConditionExpression: 'attribute_exists(membersSince)',
  },
});

/** Creates the write that marks a share for all members as removed from a user’s list. */
const hideWrite = (userId: number, id: string): Write => {
  const { pk, sk } = shareKeys.hiddenBy.at({ id, userId });
  const item = { ...shareKeys.hidden.at({ userId, id }), gsi1pk: pk, gsi1sk: sk };
  return { Put: { TableName: tableName(), Item: item } };
};

/** Creates the writes that take a share out of a user’s list; none if it isn’t there. */
const toWrites = (
  userId: number,
  { id, membersSince }: StoredShare,
  entry: ReaderEntry | undefined,
): readonly Write[] => {
  if (membersSince !== undefined) return [membersCheck(id), hideWrite(userId, id)];
  return entry && !entry.isUnlisted ? unlistWrites(userId, entry) : [];
};

/**
 * Removes a share of someone else from a user’s list. The user may still open it. One that isn’t there stays so.
 * @throws AppError NOT_FOUND if it isn’t shared with the user
 */
export const unlist = (userId: number, id: string): Promise<true> =>
  retryOnConflict(async () => {
    const [record, reader] = await batchGet([
      shareKeys.record.at({ id }),
      shareKeys.reader.at({ userId, id }),
    ]);
    const share = parseShare(record);
    if (!share || share.ownerId === userId || !isInAudience(share, userId)) throw notFound();
    if (isOpenToAll(share)) throw notFound();
    const steps = toWrites(userId, share, parseReader(reader)).map(
      (write): Step<'changed'> => ({ write, refused: 'changed' }),
    );
    return steps.length > 0 && (await transact(steps)) ? undefined : true;
  });
