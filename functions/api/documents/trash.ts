import { type ChangeRecorder, systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Key } from '../../../shared/db/key.ts';
import { createTrash } from '../../../shared/records/trash.ts';
import { removeContent } from './content.ts';
import { countTrashed } from './counters.ts';
import type { StoredDocument } from './document.ts';
import { findTrashed, write } from './documents.ts';
import type { WholeEntry } from './index-entries.ts';
import { documentKeys } from './keys.ts';
import { deleteRevisionsWrite } from './revisions.ts';
import { sharedDocuments } from './sharing.ts';

/** Deletes a document with its content and revisions, `removed` as in `write`. Returns `undefined` if it has changed since. */
export const remove = async (
  current: StoredDocument,
  recorder: ChangeRecorder,
  removed?: Key,
): Promise<true | undefined> =>
  (await write(
    current,
    undefined,
    recorder,
    [...removeContent(current), deleteRevisionsWrite(current)],
    removed,
  )) || undefined;

/** The trash of documents. */
export const { moveToTrash, restore, purge, listTrash, trashed } = createTrash<
  StoredDocument,
  StoredDocument,
  WholeEntry
>({
  name: 'trashed-documents',
  shared: sharedDocuments,
  purges: documentKeys.purges,
  getOwner: ({ authorId }) => authorId,
  trashOf: (authorId) => documentKeys.trashed.partition({ authorId }),
  countTrashed,
  findTrashed,
  auditPurge: systemRecorder('document.purge'),
  remove,
});
