import { createHash } from 'node:crypto';
import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { DuplicateRequest } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import {
  cancelDeletionWrite,
  scheduleDeletion,
  tryDelete,
} from '../../../../shared/storage/scheduled-deletions.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { createFileRecord, type FoundFile, untilDone, write } from '../record/files.ts';
import { findFolder, toTree } from '../record/folders.ts';
import { assertQuota, toUsage } from '../record/usage.ts';
import { getFileType, getMimeType, startBytes } from './media.ts';
import { newFileKey, storeFile } from './objects.ts';

/** What the API takes itself: a Lambda request holds little more (decisions.md#files). */
export const maxUploadBytes = 4 * 1024 ** 2;

/** What somebody uploads, as it comes with the request. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** The path of the folder to put it in; empty for none. */
  readonly folder: string;
}

const assertSize = ({ length }: Buffer): void => {
  if (length <= maxUploadBytes) return;
  const problem = `exceeds ${formatBytes(maxUploadBytes)}`;
  throw new AppError('PAYLOAD_TOO_LARGE', `The file ${problem}. Use POST /api/files/presign.`, {
    details: [{ field: 'file', message: `${problem}; use POST /api/files/presign` }],
  });
};

/** Is it certain that nothing was recorded? */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError || error instanceof DuplicateRequest;

/**
 * Stores a file of the actor's. Its object is doomed before it is uploaded and saved with the record, so that there is
 * neither a record without its bytes nor, for long, bytes without a record.
 * @throws AppError PAYLOAD_TOO_LARGE past 4 MB or the quota; VALIDATION_ERROR about `folder`; what S3 throws
 */
export const upload = async (
  actor: Actor,
  { name, bytes, folder }: NewFile,
  audit: AuditRecorder,
): Promise<FoundFile> => {
  assertSize(bytes);
  const me = actor.user.id;
  const [item, usage] = await batchGet([keys.fileFolders(me), keys.fileUsage(me)]);
  let tree = toTree(item);
  findFolder(tree, folder);
  assertQuota(toUsage(usage), bytes.length);
  const mimeType = await getMimeType(bytes.subarray(0, startBytes), name);
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const deletion = await scheduleDeletion(newFileKey());
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
    const written = await write(undefined, file, audit, { object: cancelDeletionWrite(deletion) });
    if (written) return { file, tree };
    // Two ids of one millisecond may be equal: another one then. Or the folder is gone.
    tree = toTree((await batchGet([keys.fileFolders(me)]))[0]);
    return undefined;
  };
  return untilDone(record).catch(async (error) => {
    // Of what failed otherwise nobody knows whether it is recorded.
    if (isRefusal(error)) await tryDelete(deletion.key);
    throw error;
  });
};
