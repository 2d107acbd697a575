import type { Actor } from '../auth/actor.ts';
import type { StoredUser } from '../auth/user.ts';
import { batchGet } from '../db/dynamodb.ts';
import { keys } from '../db/table.ts';

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
