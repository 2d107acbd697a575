import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { countEntries } from '../../../shared/lists/list-partitions.ts';
import { type Bound, forEachBatch, forEachId } from '../../../shared/lists/process-items.ts';
import {
  type OwnedRecords,
  type Receiver,
  ReceiverRemoved,
} from '../../../shared/users/owned-records.ts';
import { forgetEditor, type StoredDocument, withReaders } from './document.ts';
import { find, findAll, nextDocument, retryOnConflict, write } from './documents.ts';
import { documentKeys } from './keys.ts';
import { forgetWriterWrite } from './revisions.ts';
import { removeFromReaders } from './sharing.ts';
import { remove } from './trash.ts';

const transferDocument = (current: StoredDocument, to: number): Promise<boolean> => {
  const sharedWith = current.sharedWith.filter((userId) => userId !== to);
  // Who wrote it is no one else, also where only its author did.
  const edited = { at: current.createdAt, ...current.edited };
  const forgotten = forgetEditor({ ...current, edited }, current.authorId);
  return write(
    current,
    nextDocument(current, { authorId: to, ...withReaders(current, sharedWith), ...forgotten }),
    systemRecorder('document.transfer'),
    [forgetWriterWrite(current, current.authorId)],
  );
};

const deleteIfUnchanged = (current: StoredDocument) =>
  remove(current, systemRecorder('document.purge'), userKeys.record.at({ id: current.authorId }));

/** Deletes a removed author's document as it is now. */
const deleteDocument = (id: number, authorId: number): Promise<true> =>
  retryOnConflict(async () => {
    const current = await find(id);
    return current?.authorId === authorId ? deleteIfUnchanged(current) : true;
  });

/** Deletes documents of a removed author, which one request reads. */
const deleteDocuments = async (ids: readonly number[], authorId: number): Promise<void> => {
  const { documents } = await findAll(ids, []);
  for (const current of documents) {
    if (current?.authorId !== authorId) continue;
    (await deleteIfUnchanged(current)) ?? (await deleteDocument(current.id, authorId));
  }
};

/**
 * Transfers a removed author's document to another user. If that user is removed concurrently, the job that reconciles
 * that user deals with it.
 */
const transferIfOwn = (id: number, authorId: number, to: number): Promise<true> =>
  retryOnConflict(async () => {
    const { documents, users } = await findAll([id], [to]);
    const [current] = documents;
    if (current?.authorId !== authorId) return true;
    if (!users[0]) throw new ReceiverRemoved();
    return (await transferDocument(current, to)) || undefined;
  });

/** Lists the partitions in which an author’s documents are, those in the trash last. */
export const listPartitions = (authorId: number) => [
  documentKeys.byId.partition({ list: `OF#${authorId}` }),
  documentKeys.byAuthor.partition({ list: 'EVERYONE', authorId }),
  documentKeys.trashed.partition({ authorId }),
];

/**
 * Deletes a removed user's documents, also those in the trash, or transfers them. Returns whether all are done.
 * @throws ReceiverRemoved
 */
const deleteOrTransferDocuments = async (
  authorId: number,
  { to, ...bound }: Bound & Receiver,
): Promise<boolean> => {
  for (const partition of listPartitions(authorId)) {
    const isAtEnd =
      to === undefined
        ? await forEachBatch(partition, (ids) => deleteDocuments(ids, authorId), bound)
        : await forEachId(partition, (id) => transferIfOwn(id, authorId, to), bound);
    if (!isAtEnd) return false;
  }
  return true;
};

/** Deletes or transfers a removed user's documents, and stops sharing others with the user. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteOrTransferDocuments,
  counted: {
    kind: 'documents',
    count: (authorId) => countEntries(listPartitions(authorId), undefined),
  },
  leave: removeFromReaders,
};
