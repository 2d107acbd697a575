import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Key } from '../../../shared/db/key.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { scheduleDeletionWrite } from '../../../shared/storage/scheduled-deletions.ts';
import type { StoredFile } from './record/file.ts';
import { write } from './record/files.ts';

/** Creates the write that schedules the deletion of a file's object, for the transaction that removes the file. */
export const deletionWrite = ({ object }: StoredFile): Write | undefined =>
  object === undefined ? undefined : scheduleDeletionWrite(object);

/** Deletes a file, its object by a schedule; `removed` as in `write`. Returns `undefined` if it has changed since. */
export const removeLater = async (
  current: StoredFile,
  recorder: ChangeRecorder,
  removed?: Key,
): Promise<true | undefined> =>
  (await write(current, undefined, recorder, [deletionWrite(current)], removed)) || undefined;
