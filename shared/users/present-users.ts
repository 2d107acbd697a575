import type { StoredUser } from '../auth/user.ts';
import { batchGet } from '../db/dynamodb.ts';
import { keys } from '../db/table.ts';

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
export const presentName = (
  users: PresentUsers,
  { id, name }: { readonly id: number; readonly name: string },
): { readonly id: number; readonly name: string; readonly avatar: string | null } => {
  const user = users.get(id);
  return { id, name: user?.name ?? name, avatar: user?.avatar ?? null };
};
