import { batchGet } from '../db/dynamodb.ts';
import { keys } from '../db/table.ts';

/** Those of the users who are there, in the order that they are named in; strongly consistent. */
export const existingUsers = async (userIds: readonly number[]): Promise<number[]> => {
  const users = await batchGet(userIds.map(keys.user));
  return userIds.filter((_, at) => users[at] !== undefined);
};

/**
 * Those of the records whose owner exists; the caller, where a user calls, is known to. Nothing of a removed owner may be
 * read, although a job may still have to remove or transfer it. One round trip where others own some.
 */
export const ofExistingOwners = async <Owned extends { readonly ownerId: number }>(
  records: readonly Owned[],
  callerId: number | undefined,
): Promise<Owned[]> => {
  const others = new Set(records.map(({ ownerId }) => ownerId).filter((id) => id !== callerId));
  if (others.size === 0) return [...records];
  const there = new Set([callerId, ...(await existingUsers([...others]))]);
  return records.filter(({ ownerId }) => there.has(ownerId));
};

/** Says whether the owner of a record exists, as `ofExistingOwners` tells. */
export const isOwnerThere = async (ownerId: number, callerId?: number): Promise<boolean> =>
  (await ofExistingOwners([{ ownerId }], callerId)).length > 0;
