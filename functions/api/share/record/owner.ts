import type { Actor } from '../../../../shared/auth/actor.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { parseUser } from '../../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { ownerExists, type PresentUsers, readUsers } from '../../../../shared/users/person.ts';
import { endedError, notFound, type StoredShare } from './share.ts';

/** Requires that a user still exists with this status: removed or suspended users can't get shares. */
export const ownerStatusCheck = (status: string, userId: number): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: userKeys.record.at({ id: userId }),
    ConditionExpression: 'attribute_exists(pk) AND #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status },
  },
});

/** Whether the actor can see and change a share: as its owner or a moderator. */
export const canEdit = ({ user, permissions }: Actor, { ownerId }: StoredShare): boolean =>
  ownerId === user.id || can(permissions, 'shares:manage');

/**
 * Reads the name of a share's owner. Always reads again: a suspension takes effect before it reaches the access items.
 * @throws AppError GONE while the owner is suspended; NOT_FOUND if the owner was removed
 */
export const readAuthor = async ({ ownerId }: StoredShare): Promise<string> => {
  const [item] = await batchGet([userKeys.record.at({ id: ownerId })]);
  if (!item) throw notFound();
  const { status, name } = parseUser(item);
  if (status === 'suspended') throw endedError();
  return name;
};

/**
 * Reads the name of a share's owner, for callers who can see all shares.
 * @throws AppError NOT_FOUND
 */
export const readOwnerName = async ({ ownerId }: StoredShare): Promise<string> =>
  getOwnerName({ ownerId }, await readUsers([ownerId]));

/**
 * Returns the name of a share's owner.
 * @throws AppError NOT_FOUND if the owner was removed
 */
export const getOwnerName = (
  { ownerId }: Pick<StoredShare, 'ownerId'>,
  users: PresentUsers,
): string => {
  const owner = users.get(ownerId);
  if (!owner) throw notFound();
  return owner.name;
};

/**
 * Asserts that the owner of a share exists, for callers who can see all shares.
 * @throws AppError NOT_FOUND
 */
export const assertHasOwner = async (
  { ownerId }: StoredShare,
  callerId?: number,
): Promise<void> => {
  if (!(await ownerExists(ownerId, callerId))) throw notFound();
};
