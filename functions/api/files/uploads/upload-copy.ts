import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { serializeError } from '../../../../shared/runtime/error-mapping.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getLogger } from '../../../../shared/runtime/telemetry.ts';
import {
  cancelDeletionWrite,
  type ScheduledDeletion,
  scheduleDeletion,
  tryDelete,
} from '../../../../shared/storage/scheduled-deletions.ts';
import type { StoredFile } from '../record/file.ts';
import { type FoundFile, find, nextFile, write } from '../record/files.ts';
import { fileKeys } from '../record/keys.ts';
import { getFileType, getMimeType } from './media.ts';
import {
  CopyTimeoutError,
  copyUploaded,
  createFileKey,
  findUploaded,
  readStart,
  type Uploaded,
} from './objects.ts';

/*
 * A copy within S3 can take long, and clients repeat the request. So each copy requires a lease in the upload's record. A
 * lease expires by itself, so the next request makes the copy after a crash.
 */

/** The time to detect the type of a copy and record it. */
const recordMs = 10_000;

/** The time within which a job starts, even if the queue is unavailable for a minute. */
const jobStartMs = 120_000;

/** Returns whether the copy of an upload is leased, other than by the lease to take over. */
export const isCopyLeased = (
  { copyKey, copyLeaseUntil = '' }: StoredFile,
  former: string | undefined = undefined,
): boolean => copyKey !== former && Date.parse(copyLeaseUntil) > Date.now();

interface CopyOptions {
  /** How long the copy may take. */
  readonly copyMs: number;
  /** The copy key of the lease to take over. */
  readonly former?: string | undefined;
  /** Hands a copy that takes too long to a job, which takes over the lease. */
  readonly defer?: (copyKey: string) => Promise<void>;
}

const toTimeIn = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Leases the copy of an upload and schedules the copy's deletion; `undefined` if it is leased or changed. */
const acquireLease = async (
  { id, version }: StoredFile,
  to: string,
  { copyMs, former }: CopyOptions,
): Promise<ScheduledDeletion | undefined> => {
  const [{ written }, deletion] = await Promise.all([
    conditionalUpdate({
      Key: fileKeys.record.at({ id }),
      UpdateExpression: 'SET copyKey = :to, copyLeaseUntil = :until',
      // A retry after a lost response finds its own copy key.
      ConditionExpression:
        'version = :seen AND (attribute_not_exists(copyKey) OR copyKey IN (:to, :former) OR copyLeaseUntil <= :now)',
      ExpressionAttributeValues: {
        ':to': to,
        ':until': toTimeIn(copyMs + recordMs),
        ':seen': version,
        ':former': former ?? to,
        ':now': toTimeIn(0),
      },
    }),
    scheduleDeletion(to),
  ]);
  return written ? deletion : undefined;
};

/** Shortens a lease to `ms`. After a failure, or more than a second, the lease expires by itself. */
const releaseLease = async ({ id }: StoredFile, to: string, ms: number): Promise<void> => {
  try {
    await conditionalUpdate(
      {
        Key: fileKeys.record.at({ id }),
        UpdateExpression: 'SET copyLeaseUntil = :until',
        ConditionExpression: 'copyKey = :to',
        ExpressionAttributeValues: { ':to': to, ':until': toTimeIn(ms) },
      },
      { timeoutMs: 1_000 },
    );
  } catch (error) {
    getLogger().warn('Upload copy lease not released', { error: serializeError(error) });
  }
};

const conflictError = (message: string): AppError => new AppError('CONFLICT', message);

const assertMatches = (pending: StoredFile, found: Uploaded | undefined): Uploaded => {
  if (!found) throw conflictError('Upload the file first.');
  if (found.size !== pending.size) {
    throw conflictError(`Expected ${pending.size} bytes but received ${found.size}.`);
  }
  return found;
};

/** Copies the uploaded object and returns the fields of the file, if the copy has the announced checksum. */
const copy = async (
  pending: StoredFile,
  found: Uploaded,
  { key }: ScheduledDeletion,
  copyMs: number,
): Promise<Pick<StoredFile, 'type' | 'mimeType' | 'object' | 'checksum'>> => {
  const { object = '', size, name } = pending;
  const checksum = await copyUploaded(object, found, key, copyMs);
  if (checksum === undefined) throw conflictError('A new upload is in progress. Try again later.');
  if (pending.checksum !== undefined && pending.checksum !== checksum) {
    await tryDelete(key);
    throw conflictError('Checksum mismatch.');
  }
  const mimeType = await getMimeType(await readStart(key, size), name);
  return { type: getFileType(mimeType), mimeType, object: key, checksum };
};

/** Records the copy as the file, at the top level if its folder is gone. Returns `undefined` after a concurrent write. */
const record = async (
  { file: pending, tree }: FoundFile,
  copied: Partial<StoredFile>,
  deletion: ScheduledDeletion,
  recorder: ChangeRecorder,
): Promise<StoredFile | undefined> => {
  const { folderId } = pending;
  const folderExists = folderId !== undefined && tree.folders[folderId] !== undefined;
  const file = nextFile(pending, {
    ...copied,
    status: 'ready',
    folderId: folderExists ? folderId : undefined,
    uploadBy: undefined,
    completeBy: undefined,
    copyKey: undefined,
    copyLeaseUntil: undefined,
  });
  return (await write(pending, file, recorder, [
    { write: cancelDeletionWrite(deletion), refused: 'changed' },
  ]))
    ? file
    : undefined;
};

/** Makes and records the copy, then deletes whichever of both objects is not needed. */
const copyAndRecord = async (
  found: FoundFile,
  uploaded: Uploaded,
  deletion: ScheduledDeletion,
  recorder: ChangeRecorder,
  copyMs: number,
): Promise<FoundFile | undefined> => {
  const { file: pending, tree } = found;
  const copied = await copy(pending, uploaded, deletion, copyMs);
  const file = await record(found, copied, deletion, recorder);
  await tryDelete(file ? (pending.object ?? '') : deletion.key);
  return file && { file, tree };
};

/** Leases and makes the copy. After a failure it releases the lease, or hands the copy to a job. */
const leaseAndCopy = async (
  found: FoundFile,
  uploaded: Uploaded,
  recorder: ChangeRecorder,
  options: CopyOptions,
): Promise<FoundFile | undefined> => {
  const { file: pending } = found;
  const to = createFileKey();
  try {
    const deletion = await acquireLease(pending, to, options);
    if (!deletion) return undefined;
    const file = await copyAndRecord(found, uploaded, deletion, recorder, options.copyMs);
    if (!file) await releaseLease(pending, to, 0);
    return file;
  } catch (error) {
    const isDeferred = options.defer !== undefined && error instanceof CopyTimeoutError;
    if (isDeferred) await options.defer?.(to);
    await releaseLease(pending, to, isDeferred ? jobStartMs : 0);
    throw error;
  }
};

/**
 * Copies an upload to its final object and records it as a file. Returns `undefined` if another request makes the copy or
 * has completed the upload.
 * @throws CopyTimeoutError; AppError CONFLICT if the object is missing or not as announced; errors of S3 and DynamoDB
 */
export const finalizeUpload = async (
  found: FoundFile,
  recorder: ChangeRecorder,
  options: CopyOptions,
): Promise<FoundFile | undefined> => {
  const { file: pending } = found;
  try {
    const uploaded = assertMatches(pending, await findUploaded(pending.object ?? ''));
    return await leaseAndCopy(found, uploaded, recorder, options);
  } catch (error) {
    // Another request may have completed the upload and deleted its object.
    const now = await find(pending.id);
    if (now && now.version !== pending.version) return undefined;
    throw error;
  }
};
