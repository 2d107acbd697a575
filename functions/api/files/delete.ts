import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { deleteObject } from '../../../shared/storage/bucket.ts';
import { scheduleDeletionWrite } from '../../../shared/storage/scheduled-deletions.ts';
import { canEdit, isFolder, isReady, notFoundError, type StoredFile } from './record/file.ts';
import { type FoundFile, findWithTree, nextFile, retryOnChange, write } from './record/files.ts';
import { isInTree, treeStep } from './record/folders.ts';
import { fileKeys } from './record/keys.ts';

/** Only the owner knows of an incomplete upload. */
const canDelete = (actor: Actor, file: StoredFile): boolean =>
  file.status === 'uploading' ? file.ownerId === actor.user.id : canEdit(actor, file);

/** Creates the write that schedules the deletion of a file's object, for the transaction that removes the file. */
export const deletionWrite = ({ object }: StoredFile): Write | undefined =>
  object === undefined ? undefined : scheduleDeletionWrite(object);

const removeFolder = async (
  { file, tree }: FoundFile,
  audit: AuditRecorder,
): Promise<StoredFile | undefined> => {
  if (!isInTree(tree, file)) return undefined;
  const written = await write(file, undefined, audit, [treeStep(tree, file, undefined)]);
  return written ? file : undefined;
};

/** Hides a file and schedules the deletion of its object. */
const markDeleted = async (
  { file }: FoundFile,
  audit: AuditRecorder,
): Promise<StoredFile | undefined> => {
  if (file.status === 'removed') return file;
  const after = nextFile(file, { status: 'removed' });
  return (await write(file, after, audit, [deletionWrite(file)])) ? after : undefined;
};

/** Deletes a hidden file's object, then its record. A repeated request continues after a failure. */
const deleteContent = async ({ id, object }: StoredFile): Promise<void> => {
  try {
    if (object !== undefined) await deleteObject(object);
    await documentClient().send(
      new DeleteCommand({ TableName: tableName(), Key: fileKeys.record.at({ id }) }),
    );
  } catch (cause) {
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'The file is no longer available, but its content is not deleted yet. Repeat the request.',
      { cause },
    );
  }
};

/**
 * Deletes a file with its object, an empty folder or an incomplete upload. If S3 or DynamoDB fails midway, the file is
 * already hidden; the scheduled run or a repeated request deletes the rest.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a folder that is not empty; SERVICE_UNAVAILABLE
 */
export const remove = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  const removed = await retryOnChange(async () => {
    const found = await findWithTree(actor, id);
    if (!found || !canDelete(actor, found.file)) throw notFoundError();
    const { file } = found;
    if (isReady(file)) assertVersion(ifMatch, file.version);
    return isFolder(file) ? removeFolder(found, audit) : markDeleted(found, audit);
  });
  if (isFolder(removed)) return;
  await deleteContent(removed);
};
