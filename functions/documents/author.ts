import type { Actor } from '../../shared/actor.ts';
import { batchGet } from '../../shared/dynamodb.ts';
import { keys } from '../../shared/table.ts';
import type { StoredUser } from '../../shared/user.ts';
import { notFound } from './document.ts';

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
 * The author of a document by id; the actor is known already. Nothing of a removed author may be read, although a job may
 * still have to remove or transfer it.
 * @throws AppError NOT_FOUND where the author was removed
 */
export const readAuthor = async ({ user }: Actor, id: number): Promise<Author> => {
  const [record] = id === user.id ? [{ ...user }] : await batchGet([keys.user(id)]);
  const author = toAuthor(record);
  if (!author) throw notFound();
  return author;
};
