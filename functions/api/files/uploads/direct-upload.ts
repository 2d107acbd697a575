import { type AuditRecorder, userAudit } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { backOff } from '../../../../shared/runtime/backoff.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../../shared/runtime/retry.ts';
import { scheduleDeletionWrite } from '../../../../shared/storage/scheduled-deletions.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import {
  formTtlMs,
  isExpired,
  isReady,
  notFound,
  type StoredFile,
  uploadTtlMs,
} from '../record/file.ts';
import {
  createFileRecord,
  type FoundFile,
  find,
  findWithTree,
  untilDone,
  write,
} from '../record/files.ts';
import { findFolder, toTree } from '../record/folders.ts';
import { completeUpload } from '../record/jobs.ts';
import { assertQuota, toUsage } from '../record/usage.ts';
import { CopyTimeoutError, newUploadKey, signUpload, type UploadForm } from './objects.ts';
import {
  assertAllowance,
  consumeAllowance,
  formBytesKey,
  formBytesMs,
} from './upload-allowance.ts';
import { finalizeUpload, isBeingCopied } from './upload-copy.ts';

/*
 * The direct way: a form is signed for one object below `uploads/`; whoever has it uploads there, once or, until it expires,
 * again. To complete it the object is copied to a new key below `files/`, as it was found, and what is checked and recorded
 * is the copy. So nothing that is done with the form afterwards changes what readers get. The uploaded object is deleted
 * then, and is doomed from the start for when no form can bring it back any more.
 */

/** As large as a copy within one request can be relied on. */
export const maxDirectBytes = 1024 ** 3;

/** What somebody is about to upload. */
export interface PendingUpload {
  readonly name: string;
  readonly size: number;
  /** What the uploader calls its type: it is sent along, and the file's type is told by its bytes. */
  readonly contentType: string;
  /** SHA-256, in hex. */
  readonly checksum: string | undefined;
  readonly folder: string;
}

/** An upload that may begin: its form, and until when (ISO 8601). */
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
 * Reserves room for a file of the actor's and signs the form that uploads it: of this very size, type and, where it was
 * told, checksum.
 * @throws AppError PAYLOAD_TOO_LARGE past 1 GB or the quota; RATE_LIMITED where the actor's forms may bring too much for
 *   now; VALIDATION_ERROR about `folder`
 */
export const presign = async (
  actor: Actor,
  { name, size, contentType, checksum, folder }: PendingUpload,
  audit: AuditRecorder,
): Promise<PresignedUpload> => {
  const me = actor.user.id;
  if (size > maxDirectBytes) throw fileTooLargeError(size);
  const object = newUploadKey();
  return untilDone(async () => {
    const [item, usage, formBytes] = await batchGet([
      keys.fileFolders(me),
      keys.fileUsage(me),
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
    const writes = {
      doom: scheduleDeletionWrite(object, new Date(now + formBytesMs).toISOString()),
      formBytes: consumeAllowance(me, formBytes, size),
    };
    return (await write(undefined, file, audit, writes)) ? sign(file) : undefined;
  });
};

/**
 * The form of an upload again that was announced before.
 * @throws AppError NOT_FOUND where it is complete, given up or over
 */
export const replayPresigned = async (actor: Actor, id: number): Promise<PresignedUpload> => {
  const file = await find(id);
  if (file?.status !== 'uploading' || file.ownerId !== actor.user.id) throw notFound();
  return sign(file);
};

/** How long a request waits for the copy, so that it is answered within 10 s; enough for some hundred MB. */
const briefCopyMs = 6_000;

/** How long a job does: several times what S3 needs for 1 GB. */
const longCopyMs = 45_000;

const stillCopied = 'The upload is being processed. Repeat the request.';

/** Tries again what answers `undefined` while somebody else makes the copy. */
const untilPlaced = retryOnConflict(stillCopied);

/** Pauses while somebody else makes the copy grow up to this try: two thirds of a second. */
const longestBackOff = 5;

/** What a request can't wait for a job has been left. */
const reportLate = (error: unknown): never => {
  if (!(error instanceof CopyTimeoutError)) throw error;
  throw new AppError('SERVICE_UNAVAILABLE', stillCopied, { cause: error });
};

/**
 * Makes what was uploaded a file, once; asked again it answers the same. However often it is asked, one copy is made at a
 * time. What takes S3 too long goes on as a job, whose end the same request, sent again, tells.
 * @throws AppError NOT_FOUND where nothing of the actor's was announced, or it is given up or over; CONFLICT while the
 *   object is not there or not as it was announced; SERVICE_UNAVAILABLE while it goes on; what S3 throws
 */
export const complete = (actor: Actor, id: number, audit: AuditRecorder): Promise<FoundFile> => {
  const leave = (copyKey: string) => enqueue(completeUpload, { id, copyKey });
  let waits = 0;
  return untilPlaced(async () => {
    const found = await findWithTree(actor, id);
    if (!found || found.file.ownerId !== actor.user.id) throw notFound();
    const { file: announced } = found;
    if (isReady(announced)) return found;
    if (announced.status !== 'uploading' || isExpired(announced)) throw notFound();
    if (isBeingCopied(announced)) {
      waits++;
      await backOff(Math.min(waits, longestBackOff));
      return undefined;
    }
    return finalizeUpload(found, audit, { copyMs: briefCopyMs, leave }).catch(reportLate);
  });
};

/** An upload that a request could not wait for, and its copy that was late. */
export interface LateUpload {
  readonly id: number;
  readonly copyKey?: string | undefined;
}

/**
 * Completes an upload that a request could not wait for. What is complete, given up, over or somebody else's to copy by
 * now it leaves alone, and also what is not as it was announced: that is told to the next request.
 * @throws CopyTimeoutError; what S3 and the table throw
 */
export const completeInBackground = async ({ id, copyKey }: LateUpload): Promise<void> => {
  await untilDone(async () => {
    const file = await find(id);
    if (file?.status !== 'uploading' || isExpired(file) || isBeingCopied(file, copyKey))
      return true;
    const [ofOwner] = await batchGet([keys.fileFolders(file.ownerId)]);
    const found = { file, tree: toTree(ofOwner) };
    // Nobody but its owner can have asked for it.
    const change = userAudit('file.complete', file.ownerId);
    try {
      return await finalizeUpload(found, change, { copyMs: longCopyMs, former: copyKey });
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONFLICT') return true;
      throw error;
    }
  });
};
