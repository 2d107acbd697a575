import { batchGet } from '../../shared/dynamodb.ts';
import { keys } from '../../shared/table.ts';
import type { StoredUser } from '../../shared/user.ts';
import { gone, notFound, type StoredShare } from '../share/share.ts';

/**
 * The name of a share's owner, read afresh: a share is closed as soon as its owner is, whatever its gate says yet.
 * @throws AppError GONE while the owner is suspended, NOT_FOUND when there is no such user any more
 */
export const authorOf = async ({ ownerId }: StoredShare): Promise<string> => {
  const [item] = await batchGet([keys.user(ownerId)]);
  if (!item) throw notFound();
  const { status, name } = item as unknown as StoredUser;
  if (status === 'suspended') throw gone();
  return name;
};
