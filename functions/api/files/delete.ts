import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/content/etag.ts';
import { isPurged } from '../../../shared/records/trash.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { deleteObject } from '../../../shared/storage/bucket.ts';
import { canEdit, isFolder, isReady, notFoundError, type StoredFile } from './record/file.ts';
import { type FoundFile, findWithTree, nextFile, retryOnConflict, write } from './record/files.ts';
import { isInTree, treeStep } from './record/folders.ts';
import { fileKeys } from './record/keys.ts';
import { deletionWrite } from './removal.ts';
import { moveFound } from './trash.ts';

/** Only the owner knows of an incomplete upload. */
const canDelete = (actor: Actor, file: StoredFile): boolean =>
  file.status === 'uploading' ? file.ownerId === actor.user.id : canEdit(actor, file);

const removeFolder = async (
  { file, tree }: FoundFile,
  recorder: ChangeRecorder,
): Promise<StoredFile | undefined> => {
  if (!isInTree(tree, file)) return undefined;
  const written = await write(file, undefined, recorder, [treeStep(tree, file, undefined)]);
  return written ? file : undefined;
};

/** Hides a file and schedules the deletion of its object. */
const markDeleted = async (
  { file }: FoundFile,
  recorder: ChangeRecorder,
): Promise<StoredFile | undefined> => {
  if (file.status === 'removed') return file;
  const after = nextFile(file, { status: 'removed' });
  return (await write(file, after, recorder, [deletionWrite(file)])) ? after : undefined;
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
 * Moves a file to its owner's trash. Deletes an empty folder or an incomplete upload at once, as there is nothing to
 * restore. Returns whether it is in the trash.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for a folder that is not empty; SERVICE_UNAVAILABLE as `purge`
 */
export const remove = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<boolean> => {
  const removed = await retryOnConflict(async () => {
    const found = await findWithTree(actor, id);
    if (!found || found.file.status === 'trashed' || !canDelete(actor, found.file)) {
      throw notFoundError();
    }
    const { file } = found;
    if (!isReady(file)) return markDeleted(found, recorder);
    assertVersion(ifMatch, file.version);
    return isFolder(file) ? removeFolder(found, recorder) : moveFound(found, recorder);
  });
  if (removed === true) return true;
  if (!isFolder(removed)) await deleteContent(removed);
  return false;
};

/** One that is hidden may still have its object. */
const isPurgeable = (file: StoredFile): boolean =>
  file.status === 'removed' || (file.status === 'trashed' && !isPurged(file));

/**
 * Permanently deletes a file in the trash with its object. If S3 or DynamoDB fails midway, the file is already hidden; the
 * scheduled run or a repeated request deletes the rest.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; SERVICE_UNAVAILABLE
 */
export const purge = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<void> => {
  const removed = await retryOnConflict(async () => {
    const found = await findWithTree(actor, id);
    if (!found || !isPurgeable(found.file) || !canEdit(actor, found.file)) throw notFoundError();
    if (found.file.status === 'trashed') assertVersion(ifMatch, found.file.version);
    return markDeleted(found, recorder);
  });
  await deleteContent(removed);
};
