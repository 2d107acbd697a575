import { type ChangeRecorder, userRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import {
  assertAllowance,
  consumeAllowance,
  formBytesKey,
} from '../../../../shared/http/form-allowance.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { backOff } from '../../../../shared/runtime/backoff.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { storageKeys } from '../../../../shared/storage/keys.ts';
import { toUsage } from '../../../../shared/storage/quota.ts';
import { scheduleDeletionWrite } from '../../../../shared/storage/scheduled-deletions.ts';
import { signUpload, type UploadForm } from '../../../../shared/storage/upload-form.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import {
  formTtlMs,
  isExpired,
  isReady,
  notFoundError,
  type StoredFile,
  uploadTtlMs,
} from '../record/file.ts';
import {
  createFileRecord,
  type FoundFile,
  find,
  findWithTree,
  retryOnConflict,
  write,
} from '../record/files.ts';
import { findFolder, toTree } from '../record/folders.ts';
import { completeUpload } from '../record/jobs.ts';
import { fileKeys } from '../record/keys.ts';
import { assertQuota } from '../record/usage.ts';
import { CopyTimeoutError, createUploadKey } from './objects.ts';
import { finalizeUpload, isCopyLeased } from './upload-copy.ts';

/*
 * A form is signed for one object below `uploads/` and can upload it repeatedly until it expires. Completing the upload
 * copies that object to a new key below `files/`, then checks and records the copy. So later uploads by the form don't
 * change what readers get. The uploaded object is then deleted; its deletion is also scheduled from the start, for a time
 * when no form can recreate it.
 */

/** The largest file that S3 reliably copies within the time of a job. */
export const maxDirectBytes = 1024 ** 3;

/** How long (ms) an uploaded object can stay in the bucket before it is deleted: its upload can go on after its form expired. */
const formBytesMs = uploadTtlMs + 3_600_000;

/** A file that is about to be uploaded. */
export interface PendingUpload {
  readonly name: string;
  readonly size: number;
  /** As the uploader states it; the file's type is detected from its content. */
  readonly contentType: string;
  /** SHA-256, in hex. */
  readonly checksum: string | undefined;
  readonly folder: string;
}

/** The form of an upload and when it expires (ISO 8601). */
export interface PresignedUpload extends UploadForm {
  readonly id: number;
  readonly expiresAt: string;
}

const fileTooLargeError = (size: number): AppError => {
  const message = `is ${formatBytes(size)}; the maximum is ${formatBytes(maxDirectBytes)}`;
  return new AppError('PAYLOAD_TOO_LARGE', `The file ${message}.`, {
    details: [{ field: 'size', message }],
  });
};

const defaultContentType = 'application/octet-stream';

const sign = async ({
  id,
  object = '',
  size,
  checksum,
  uploadBy = '',
  mimeType = defaultContentType,
}: StoredFile): Promise<PresignedUpload> => {
  const expiresIn = Math.max(1, Math.floor((Date.parse(uploadBy) - Date.now()) / 1_000));
  const form = await signUpload(object, { size, contentType: mimeType, checksum, expiresIn });
  return { id, ...form, expiresAt: uploadBy };
};

/**
 * Reserves storage for a file and signs the form that uploads it, with exactly this size, type and checksum (if any).
 * @throws AppError PAYLOAD_TOO_LARGE beyond 1 GB or the quota; RATE_LIMITED beyond the upload allowance; VALIDATION_ERROR
 *   for `folder`
 */
export const presign = async (
  actor: Actor,
  { name, size, contentType, checksum, folder }: PendingUpload,
  recorder: ChangeRecorder,
): Promise<PresignedUpload> => {
  const me = actor.user.id;
  if (size > maxDirectBytes) throw fileTooLargeError(size);
  const object = createUploadKey();
  return retryOnConflict(async () => {
    const [item, usage, formBytes] = await batchGet([
      fileKeys.folders.at({ userId: me }),
      storageKeys.usage.at({ userId: me }),
      formBytesKey(me),
    ]);
    const folderId = findFolder(toTree(item), folder);
    assertQuota(toUsage(usage), size);
    assertAllowance(formBytes, size);
    const now = Date.now();
    const completeBy = new Date(now + uploadTtlMs).toISOString();
    const file = createFileRecord(actor, {
      name,
      type: 'other',
      mimeType: contentType,
      size,
      folderId,
      status: 'uploading',
      object,
      ...(checksum !== undefined && { checksum }),
      uploadBy: new Date(now + formTtlMs).toISOString(),
      completeBy,
    });
    const isWritten = await write(undefined, file, recorder, [
      scheduleDeletionWrite(object, new Date(now + formBytesMs).toISOString()),
      { write: consumeAllowance(me, formBytes, size), refused: 'changed' },
    ]);
    return isWritten ? sign(file) : undefined;
  });
};

/**
 * Signs the form of a presigned upload again.
 * @throws AppError NOT_FOUND if the upload is complete, deleted or expired
 */
export const replayPresigned = async (actor: Actor, id: number): Promise<PresignedUpload> => {
  const file = await find(id);
  if (file?.status !== 'uploading' || file.ownerId !== actor.user.id) throw notFoundError();
  return sign(file);
};

/** How long a request waits for the copy, to respond within 10 s; enough for some hundred MB. */
const requestCopyMs = 6_000;

/** How long a job waits for the copy: several times what S3 needs for 1 GB. */
const jobCopyMs = 45_000;

const processingMessage = 'The upload is being processed. Repeat the request.';

/** Runs a task again while it returns `undefined` because another request makes the copy. */
const retryOnCopy = createRetry(processingMessage);

/** Pauses stop growing at this attempt, at two thirds of a second. */
const maxBackOffAttempt = 5;

/** A job continues the copy for which the request can't wait. */
const throwUnavailable = (error: unknown): never => {
  if (!(error instanceof CopyTimeoutError)) throw error;
  throw new AppError('SERVICE_UNAVAILABLE', processingMessage, { cause: error });
};

/**
 * Completes an upload: turns it into a file, with one copy at a time. Returns the same file if repeated. A copy that takes
 * S3 too long continues in a job; a repeated request returns its result.
 * @throws AppError NOT_FOUND if the actor has no such upload, or it is deleted or expired; CONFLICT while the object is
 *   missing or not as announced; SERVICE_UNAVAILABLE while the copy continues; errors of S3
 */
export const complete = (
  actor: Actor,
  id: number,
  recorder: ChangeRecorder,
): Promise<FoundFile> => {
  const defer = (copyKey: string) => enqueue(completeUpload, { id, copyKey });
  let waits = 0;
  return retryOnCopy(async () => {
    const found = await findWithTree(actor, id);
    if (!found || found.file.ownerId !== actor.user.id) throw notFoundError();
    const { file: pending } = found;
    if (isReady(pending)) return found;
    if (pending.status !== 'uploading' || isExpired(pending)) throw notFoundError();
    if (isCopyLeased(pending)) {
      waits++;
      await backOff(Math.min(waits, maxBackOffAttempt));
      return undefined;
    }
    return finalizeUpload(found, recorder, { copyMs: requestCopyMs, defer }).catch(
      throwUnavailable,
    );
  });
};

/** An upload for which a request did not wait, and the key of its unfinished copy. */
export interface DeferredUpload {
  readonly id: number;
  readonly copyKey?: string | undefined;
}

/**
 * Completes an upload for which a request did not wait. Does nothing if it is complete, deleted, expired, leased by another
 * request or not as announced; the next request reports the latter.
 * @throws CopyTimeoutError; errors of S3 and DynamoDB
 */
export const completeInBackground = async ({ id, copyKey }: DeferredUpload): Promise<void> => {
  await retryOnConflict(async () => {
    const file = await find(id);
    if (file?.status !== 'uploading' || isExpired(file) || isCopyLeased(file, copyKey)) return true;
    const [folders] = await batchGet([fileKeys.folders.at({ userId: file.ownerId })]);
    const found = { file, tree: toTree(folders) };
    // Only the owner can complete an upload.
    const recorder = userRecorder('file.complete', file.ownerId);
    try {
      return await finalizeUpload(found, recorder, { copyMs: jobCopyMs, former: copyKey });
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONFLICT') return true;
      throw error;
    }
  });
};
