import { systemAudit } from '../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { countEntries } from '../../../shared/lists/list-partitions.ts';
import { type Bound, forEachId } from '../../../shared/lists/process-items.ts';
import {
  type OwnedRecords,
  type Receiver,
  ReceiverRemoved,
} from '../../../shared/users/owned-records.ts';
import type { StoredDocument } from './document.ts';
import { find, nextDocument, retryOnChange, write } from './documents.ts';
import { documentKeys } from './keys.ts';
import { removeFromReaders } from './sharing.ts';
import { remove } from './trash.ts';

const transferDocument = (current: StoredDocument, to: number): Promise<boolean> => {
  const sharedWith = current.sharedWith.filter((userId) => userId !== to);
  return write(
    current,
    nextDocument(current, { authorId: to, sharedWith }),
    systemAudit('document.transfer'),
  );
};

/**
 * Deletes a removed author's document, or transfers it to another user. If that user is removed concurrently, the job
 * that reconciles that user deals with it.
 */
const deleteOrTransferDocument = (
  id: number,
  authorId: number,
  to: number | undefined,
): Promise<true> =>
  retryOnChange(async () => {
    const [current, [receiver]] = await Promise.all([
      find(id),
      to === undefined ? [undefined] : batchGet([userKeys.record.at({ id: to })]),
    ]);
    if (current?.authorId !== authorId) return true;
    const author = userKeys.record.at({ id: authorId });
    if (to === undefined) return remove(current, systemAudit('document.purge'), author);
    if (!receiver) throw new ReceiverRemoved();
    return (await transferDocument(current, to)) || undefined;
  });

const listPartitions = (authorId: number) => [
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
    if (!(await forEachId(partition, (id) => deleteOrTransferDocument(id, authorId, to), bound)))
      return false;
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
