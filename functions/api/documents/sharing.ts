import { systemAudit } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { createSharing, type SharedKind } from '../../../shared/sharing/sharing.ts';
import { type Author, readUsers, toAuthor } from '../../../shared/users/person.ts';
import type { StoredDocument } from './document.ts';
import { find, findEditable, retryOnChange, write } from './documents.ts';
import { documentShared } from './jobs.ts';
import { documentKeys } from './keys.ts';

/** Documents as records that are shared with readers. */
export const sharedDocuments: SharedKind<StoredDocument, StoredDocument> = {
  job: documentShared,
  auditRemoval: systemAudit('document.unshare'),
  getOwner: ({ authorId }) => authorId,
  getRecord: (document) => document,
  withRecord: (_, document) => document,
  listShared: (userId) => documentKeys.byId.partition({ list: `SHARED#${userId}` }),
  find,
  findEditable,
  write,
  retry: retryOnChange,
};

export const { share, unshare, removeFromReaders } = createSharing(sharedDocuments);

/**
 * Lists the users with whom a document is shared, without removed ones.
 * @throws AppError NOT_FOUND
 */
export const listReaders = async (actor: Actor, id: number): Promise<Author[]> => {
  const { sharedWith } = await findEditable(actor, id);
  const users = await readUsers(sharedWith);
  return sharedWith.flatMap((userId) => toAuthor(users.get(userId)) ?? []);
};
