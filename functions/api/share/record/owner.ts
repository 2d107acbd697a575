import type { StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { ownerExists } from '../../../../shared/users/person.ts';
import { endedError, notFound, type StoredShare } from './share.ts';

/** The check that a share's owner is there and of this status: whoever is removed or suspended meanwhile gets no share. */
export const ownerStatusCheck = (status: string, userId: number): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keys.user(userId),
    ConditionExpression: 'attribute_exists(pk) AND #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status },
  },
});

/**
 * The name of a share's owner, read afresh: a share is closed as soon as its owner is, whatever its gate says yet.
 * @throws AppError GONE while the owner is suspended, NOT_FOUND when there is no such user any more
 */
export const toAuthor = async ({ ownerId }: StoredShare): Promise<string> => {
  const [item] = await batchGet([keys.user(ownerId)]);
  if (!item) throw notFound();
  const { status, name } = item as unknown as StoredUser;
  if (status === 'suspended') throw endedError();
  return name;
};

/**
 * Checks that the owner of a share exists, for whoever sees everybody's.
 * @throws AppError NOT_FOUND
 */
export const assertHasOwner = async (
  { ownerId }: StoredShare,
  callerId?: number,
): Promise<void> => {
  if (!(await ownerExists(ownerId, callerId))) throw notFound();
};
