import type { Actor } from '../../../shared/auth/actor.ts';
import { type Author, readAuthor, readPeople } from '../../../shared/users/person.ts';
import { listEditing, notFoundError, type StoredDocument } from './document.ts';
import type { DocumentDetail } from './documents.ts';
import { toDetail, toSummary } from './schemas.ts';

/** @throws AppError NOT_FOUND if the author was removed, before a job deletes or transfers the document */
export const findAuthor = async (actor: Actor, authorId: number): Promise<Author> => {
  const author = await readAuthor(actor, authorId);
  if (!author) throw notFoundError();
  return author;
};

/** Reads who is named in a document and converts it to the actor's view. */
export const toDetailResponse = async (actor: Actor, found: DocumentDetail) => {
  const { authorId, edited } = found.document;
  // One without changes was written by its author, and one whose last editor was deleted by no one.
  const editorId = edited ? edited.by : authorId;
  const editing = listEditing(found.document).filter((id) => id !== actor.user.id);
  const users = await readPeople(actor, [authorId, editorId, ...editing]);
  const author = users.get(authorId);
  if (!author) throw notFoundError();
  return toDetail(actor, found, {
    author,
    editedBy: users.get(editorId) ?? null,
    editing: editing.flatMap((id) => users.get(id) ?? []),
  });
};

/** Converts a document to the actor's view of it without content. */
export const toSummaryResponse = async (actor: Actor, document: StoredDocument) =>
  toSummary(actor, document, await findAuthor(actor, document.authorId));
