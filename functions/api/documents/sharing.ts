import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import type { ReaderRole } from '../../../shared/records/readers.ts';
import { createSharing, type SharedKind } from '../../../shared/records/sharing.ts';
import type { Author } from '../../../shared/users/person.ts';
import { forgetEditor, listEditing, type StoredDocument, withReaders } from './document.ts';
import { find, findManaged, retryOnConflict, write } from './documents.ts';
import { documentKeys } from './keys.ts';
import { documentShared } from './record/jobs.ts';
import { forgetWriterWrite } from './revisions.ts';

const auditRemoval = systemRecorder('document.unshare');

/** Writes who reads a document. The revisions of one whose reader was removed, too, are no longer that user's. */
const writeReaders: typeof write = (before, after, recorder, alongside = []) => {
  const removed =
    recorder === auditRemoval
      ? before?.sharedWith.find((userId) => !after?.sharedWith.includes(userId))
      : undefined;
  const forget = before && removed !== undefined ? forgetWriterWrite(before, removed) : undefined;
  return write(before, after, recorder, [...alongside, forget]);
};

/** Documents as records that are shared with readers. */
export const sharedDocuments: SharedKind<StoredDocument, StoredDocument> = {
  job: documentShared,
  auditRemoval,
  getOwner: ({ authorId }) => authorId,
  getRecord: (document) => document,
  withRecord: (_, document) => document,
  listShared: (userId) => documentKeys.byId.partition({ list: `SHARED#${userId}` }),
  find,
  findEditable: findManaged,
  toReaders: withReaders,
  forget: forgetEditor,
  write: writeReaders,
  retry: retryOnConflict,
};

const { readReaders, ...sharing } = createSharing(sharedDocuments);

export const { share, unshare, removeFromReaders } = sharing;

export interface DocumentReader extends Author {
  readonly role: ReaderRole;
  readonly isEditing: boolean;
}

/**
 * Lists the users with whom a document is shared and their roles, without removed ones.
 * @throws AppError NOT_FOUND
 */
export const listReaders = async (actor: Actor, id: number): Promise<DocumentReader[]> => {
  const { record, readers } = await readReaders(actor, id);
  const { editors = [] } = record;
  const editing = listEditing(record);
  return readers.map((one) => ({
    ...one,
    role: editors.includes(one.id) ? 'editor' : 'reader',
    isEditing: editing.includes(one.id),
  }));
};
