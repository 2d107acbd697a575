import { createHash } from 'node:crypto';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { storageKeys } from '../../../../shared/storage/keys.ts';
import { toUsage } from '../../../../shared/storage/quota.ts';
import {
  cancelDeletionWrite,
  scheduleDeletion,
  tryDelete,
} from '../../../../shared/storage/scheduled-deletions.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { createFileRecord, type FoundFile, retryOnConflict, write } from '../record/files.ts';
import { findFolder, toTree } from '../record/folders.ts';
import { fileKeys } from '../record/keys.ts';
import { assertQuota } from '../record/usage.ts';
import { getFileType, getMimeType, startBytes } from './media.ts';
import { createFileKey, storeFile } from './objects.ts';

/** The limit of uploads through the API: a Lambda request holds little more (decisions.md#files). */
export const maxUploadBytes = 4 * 1024 ** 2;

/** A file uploaded through the API. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** The path of its folder; empty is the top level. */
  readonly folder: string;
}

const assertSize = ({ length }: Buffer): void => {
  if (length <= maxUploadBytes) return;
  const problem = `exceeds ${formatBytes(maxUploadBytes)}`;
  throw new AppError('PAYLOAD_TOO_LARGE', `The file ${problem}. Use POST /api/files/presign.`, {
    details: [{ field: 'file', message: `${problem}; use POST /api/files/presign` }],
  });
};

/** Returns whether an error guarantees that nothing was recorded. */
const isRejected = (error: unknown): boolean => error instanceof AppError;

/**
 * Uploads a file of the actor. The deletion of its object is scheduled first and canceled with the record, so that a
 * failure leaves no record without an object and no object without a record.
 * @throws AppError PAYLOAD_TOO_LARGE beyond 4 MB or the quota; VALIDATION_ERROR for `folder`; errors of S3
 */
export const upload = async (
  actor: Actor,
  { name, bytes, folder }: NewFile,
  recorder: ChangeRecorder,
): Promise<FoundFile> => {
  assertSize(bytes);
  const me = actor.user.id;
  const [item, usage] = await batchGet([
    fileKeys.folders.at({ userId: me }),
    storageKeys.usage.at({ userId: me }),
  ]);
  let tree = toTree(item);
  findFolder(tree, folder);
  assertQuota(toUsage(usage), bytes.length);
  const mimeType = await getMimeType(bytes.subarray(0, startBytes), name);
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const deletion = await scheduleDeletion(createFileKey());
  await storeFile(deletion.key, bytes, checksum);
  const record = async (): Promise<FoundFile | undefined> => {
    const file = createFileRecord(actor, {
      name,
      type: getFileType(mimeType),
      mimeType,
      size: bytes.length,
      folderId: findFolder(tree, folder),
      status: 'ready',
      object: deletion.key,
      checksum,
    });
    const written = await write(undefined, file, recorder, [
      { write: cancelDeletionWrite(deletion), refused: 'changed' },
    ]);
    if (written) return { file, tree };
    // The id collided, or the folder is gone: the next attempt uses a new id and the current folders.
    tree = toTree((await batchGet([fileKeys.folders.at({ userId: me })]))[0]);
    return undefined;
  };
  return retryOnConflict(record).catch(async (error) => {
    // After any other error the file may be recorded.
    if (isRejected(error)) await tryDelete(deletion.key);
    throw error;
  });
};
