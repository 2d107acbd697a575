import type { Actor } from '../auth/actor.ts';
import { userKeys } from '../auth/keys.ts';
import { parseUser, type StoredUser } from '../auth/user.ts';
import { batchGet, tableName } from '../db/dynamodb.ts';
import type { Item } from '../db/item-parser.ts';
import type { Write } from '../db/transaction.ts';

/** Returns the ids of existing users in the same order. Strongly consistent. */
export const findExistingUsers = async (userIds: readonly number[]): Promise<number[]> => {
  const users = await batchGet(userIds.map((id) => userKeys.record.at({ id })));
  return userIds.filter((_, at) => users[at] !== undefined);
};

/**
 * Returns the records whose owner exists; the caller does. Records of a removed owner must not be read, although a job
 * may still have to delete or transfer them. Takes up to one round trip.
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

/** Returns whether the owner of a record exists, as `filterByExistingOwner` does. */
export const ownerExists = async (ownerId: number, callerId?: number): Promise<boolean> =>
  (await filterByExistingOwner([{ ownerId }], callerId)).length > 0;

/** Current users by id; `undefined` for removed users. */
export type PresentUsers = ReadonlyMap<number, StoredUser | undefined>;

/** Maximum number of users read for a list. Others are shown by the name stored in the record. */
export const maxNamed = 500;

/** Reads users by id, each once; strongly consistent unless `isEventual`. */
export const readUsers = async (
  ids: readonly number[],
  options: { readonly isEventual?: true } = {},
): Promise<PresentUsers> => {
  const once = [...new Set(ids)];
  const users = await batchGet(
    once.map((id) => userKeys.record.at({ id })),
    options,
  );
  return new Map(once.map((id, at) => [id, parseUser(users[at])]));
};

/** Returns the current name of a user in a record, or the stored name if the user was removed or not read. */
export const getCurrentName = (
  users: PresentUsers,
  { id, name }: { readonly id: number; readonly name: string },
): { readonly id: number; readonly name: string; readonly avatar: string | null } => {
  const user = users.get(id);
  return { id, name: user?.name ?? name, avatar: user?.avatar ?? null };
};

/** The public fields of a document's author. */
export interface Author {
  readonly id: number;
  readonly name: string;
  readonly avatar: string | null;
}

/** Converts a user to an author, or returns `null` if the user was removed. */
export const toAuthor = (user: StoredUser | undefined): Author | null =>
  user ? { id: user.id, name: user.name, avatar: user.avatar ?? null } : null;

/** Parses a stored user as an author, or returns `null` if the user was removed. */
export const parseAuthor = (item: Item | undefined): Author | null => toAuthor(parseUser(item));

/** Reads the author of a record, or returns `null` if the user was removed. Takes no round trip for the caller. */
export const readAuthor = async ({ user }: Actor, id: number): Promise<Author | null> => {
  if (id === user.id) return toAuthor(user);
  const [record] = await batchGet([userKeys.record.at({ id })]);
  return parseAuthor(record);
};

/** Reads the current names of users, each once; removed ones are absent. Takes no round trip for the caller alone. */
export const readPeople = async (
  { user }: Actor,
  ids: readonly (number | undefined)[],
): Promise<ReadonlyMap<number | undefined, Author>> => {
  const others = ids.filter((id) => id !== undefined).filter((id) => id !== user.id);
  const users = others.length > 0 ? await readUsers(others) : new Map<number, StoredUser>();
  const all = [...users.values(), user].flatMap((one) => toAuthor(one) ?? []);
  return new Map(all.map((one) => [one.id, one]));
};

/** Creates the check that a user exists, in any status. */
export const userExistsCheck = (id: number): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: userKeys.record.at({ id }),
    ConditionExpression: 'attribute_exists(pk)',
  },
});
