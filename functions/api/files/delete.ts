import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { deleteObject } from '../../../shared/storage/bucket.ts';
import { scheduleDeletionWrite } from '../../../shared/storage/scheduled-deletions.ts';
import { canEdit, isFolder, isReady, notFound, type StoredFile } from './record/file.ts';
import { type FoundFile, findWithTree, nextFile, untilDone, write } from './record/files.ts';
import { isInTree, treeWrite } from './record/folders.ts';

/** May the actor delete it? Of an upload that is not complete nobody knows but its owner. */
const canDelete = (actor: Actor, file: StoredFile): boolean =>
  file.status === 'uploading' ? file.ownerId === actor.user.id : canEdit(actor, file);

/** The writes that leave a file to be deleted by the sweep, if nothing else does: for the transaction that removes it. */
export const deletionWrite = ({
  object,
}: StoredFile): Readonly<Record<'doom', Write | undefined>> => ({
  doom: object === undefined ? undefined : scheduleDeletionWrite(object),
});

const removeFolder = async (
  { file, tree }: FoundFile,
  audit: AuditRecorder,
): Promise<StoredFile | undefined> => {
  if (!isInTree(tree, file)) return undefined;
  const written = await write(file, undefined, audit, { tree: treeWrite(tree, file, undefined) });
  return written ? file : undefined;
};

/** Makes a file be seen by nobody any more, with its bytes doomed. */
const markDeleted = async (
  { file }: FoundFile,
  audit: AuditRecorder,
): Promise<StoredFile | undefined> => {
  if (file.status === 'removed') return file;
  const after = nextFile(file, { status: 'removed' });
  return (await write(file, after, audit, deletionWrite(file))) ? after : undefined;
};

/** Deletes a removed file's bytes, then what is left of it; until both are gone the same request goes on with them. */
const deleteRest = async ({ id, object }: StoredFile): Promise<void> => {
  try {
    if (object !== undefined) await deleteObject(object);
    await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: keys.file(id) }));
  } catch (cause) {
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'The file is no longer available, but its content is not deleted yet. Repeat the request.',
      { cause },
    );
  }
};

/**
 * Deletes a file, an empty folder, or an upload that is not complete, once: when this answers, its bytes and its record
 * are gone. Where S3 or the table fails on the way nobody sees the file any more, the sweep goes on to delete its bytes,
 * and so does the same request sent again.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a folder that is not empty; SERVICE_UNAVAILABLE
 */
export const remove = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  const removed = await untilDone(async () => {
    const found = await findWithTree(actor, id);
    if (!found || !canDelete(actor, found.file)) throw notFound();
    const { file } = found;
    if (isReady(file)) assertVersion(ifMatch, file.version);
    return isFolder(file) ? removeFolder(found, audit) : markDeleted(found, audit);
  });
  if (isFolder(removed)) return;
  await deleteRest(removed);
};
