import type { Actor } from '../auth/actor.ts';
import type { StoredUser } from '../auth/user.ts';
import { batchGet, tableName } from '../db/dynamodb.ts';
import { keys } from '../db/table.ts';
import type { Write } from '../db/transaction.ts';

/** Those of the users who are there, in the order that they are named in; strongly consistent. */
export const findExistingUsers = async (userIds: readonly number[]): Promise<number[]> => {
  const users = await batchGet(userIds.map(keys.user));
  return userIds.filter((_, at) => users[at] !== undefined);
};

/**
 * Those of the records whose owner exists; the caller, where a user calls, is known to. Nothing of a removed owner may be
 * read, although a job may still have to remove or transfer it. One round trip where others own some.
 */
export const filterByExistingOwner = async <Owned extends { readonly ownerId: number }>(
  records: readonly Owned[],
  callerId: number | undefined,
): Promise<Owned[]> => {
  const others = new Set(records.map(({ ownerId }) => ownerId).filter((id) => id !== callerId));
  if (others.size === 0) return [...records];
  const there = new Set([callerId, ...(await findExistingUsers([...others]))]);
  return records.filter(({ ownerId }) => there.has(ownerId));
};

/** Says whether the owner of a record exists, as `filterByExistingOwner` tells. */
export const ownerExists = async (ownerId: number, callerId?: number): Promise<boolean> =>
  (await filterByExistingOwner([{ ownerId }], callerId)).length > 0;

/** Users by id, as they are now; `undefined` for who was removed. */
export type PresentUsers = ReadonlyMap<number, StoredUser | undefined>;

/** So many of those whom a list names are read; further ones are shown by the names that they had. */
export const maxNamed = 500;

/** The users of these ids, each read once; strongly consistent. */
export const readUsers = async (ids: readonly number[]): Promise<PresentUsers> => {
  const once = [...new Set(ids)];
  const users = (await batchGet(once.map(keys.user))) as unknown as (StoredUser | undefined)[];
  return new Map(once.map((id, at) => [id, users[at]]));
};

/** One whom a record names, as that user is called now; who was removed, or not read, by the name of then. */
export const getCurrentName = (
  users: PresentUsers,
  { id, name }: { readonly id: number; readonly name: string },
): { readonly id: number; readonly name: string; readonly avatar: string | null } => {
  const user = users.get(id);
  return { id, name: user?.name ?? name, avatar: user?.avatar ?? null };
};

/** What of a document's author those see who see the document. */
export interface Author {
  readonly id: number;
  readonly name: string;
  readonly avatar: string | null;
}

/** The author of a user's record; `null` where the user was removed. */
export const toAuthor = (user: Record<string, unknown> | undefined): Author | null => {
  if (!user) return null;
  const { id, name, avatar } = user as unknown as StoredUser;
  return { id, name, avatar: avatar ?? null };
};

/**
 * Reads the author of a record by id, without a trip where it is the caller; `null` where the user was removed.
 */
export const readAuthor = async ({ user }: Actor, id: number): Promise<Author | null> => {
  const [record] = id === user.id ? [{ ...user }] : await batchGet([keys.user(id)]);
  return toAuthor(record);
};

/** The check that a user exists, whatever the status. */
export const userExists = (id: number): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keys.user(id),
    ConditionExpression: 'attribute_exists(pk)',
  },
});
