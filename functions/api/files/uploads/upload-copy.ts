import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { keys } from '../../../../shared/db/table.ts';
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
import { getFileType, getMimeType } from './media.ts';
import {
  CopyTimeoutError,
  copyUploaded,
  findUploaded,
  newFileKey,
  readStart,
  type Uploaded,
} from './objects.ts';

/*
 * A copy within S3 may take long, and whoever waits for it asks again: so who makes it claims it first, in the record of
 * the upload. A claim ends by itself, and what somebody who crashed has claimed is made by the next one.
 */

/** What follows a copy takes no longer: its type is told, and it is recorded. */
const recordMs = 10_000;

/** A job that a copy is left to begins within so long: the queue may take nothing for a minute. */
const untilJobMs = 120_000;

/** Does somebody else make the copy of an upload, but for the one whose claim may be taken over? */
export const isBeingCopied = (
  { copyKey, copyLeaseUntil = '' }: StoredFile,
  former: string | undefined = undefined,
): boolean => copyKey !== former && Date.parse(copyLeaseUntil) > Date.now();

/** How a copy is made. */
interface Terms {
  /** How long it may take. */
  readonly copyMs: number;
  /** Where it was to be made by the one whose claim is taken over. */
  readonly former?: string | undefined;
  /** Leaves a copy that is late to somebody who takes over the claim. */
  readonly leave?: (copyKey: string) => Promise<void>;
}

const after = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Claims the copy of an upload as it was seen, and dooms it; `undefined` where somebody else makes it. */
const claim = async (
  { id, version }: StoredFile,
  to: string,
  { copyMs, former }: Terms,
): Promise<ScheduledDeletion | undefined> => {
  const [{ written }, deletion] = await Promise.all([
    conditionalUpdate({
      Key: keys.file(id),
      UpdateExpression: 'SET copyKey = :to, copyLeaseUntil = :until',
      // Sent again after a lost answer, it finds itself.
      ConditionExpression:
        'version = :seen AND (attribute_not_exists(copyKey) OR copyKey IN (:to, :former) OR copyLeaseUntil <= :now)',
      ExpressionAttributeValues: {
        ':to': to,
        ':until': after(copyMs + recordMs),
        ':seen': version,
        ':former': former ?? to,
        ':now': after(0),
      },
    }),
    scheduleDeletion(to),
  ]);
  return written ? deletion : undefined;
};

/** Lets a claim end in so many ms; where that fails, or takes more than a second, it ends by itself. */
const endClaim = async ({ id }: StoredFile, to: string, ms: number): Promise<void> => {
  try {
    await conditionalUpdate(
      {
        Key: keys.file(id),
        UpdateExpression: 'SET copyLeaseUntil = :until',
        ConditionExpression: 'copyKey = :to',
        ExpressionAttributeValues: { ':to': to, ':until': after(ms) },
      },
      { timeoutMs: 1_000 },
    );
  } catch (error) {
    getLogger().warn('Upload copy lease not released', { error: serializeError(error) });
  }
};

const conflict = (message: string): AppError => new AppError('CONFLICT', message);

const assertAnnounced = (announced: StoredFile, found: Uploaded | undefined): Uploaded => {
  if (!found) throw conflict('Upload the file first.');
  if (found.size !== announced.size) {
    throw conflict(`Expected ${announced.size} bytes but received ${found.size}.`);
  }
  return found;
};

/** Copies what was uploaded, as it was found; answers what the copy tells of the file, if it is as it was announced. */
const copy = async (
  announced: StoredFile,
  found: Uploaded,
  { key }: ScheduledDeletion,
  copyMs: number,
): Promise<Pick<StoredFile, 'type' | 'mimeType' | 'object' | 'checksum'>> => {
  const { object = '', size, name } = announced;
  const checksum = await copyUploaded(object, found, key, copyMs);
  if (checksum === undefined) throw conflict('A new upload is in progress. Try again later.');
  if (announced.checksum !== undefined && announced.checksum !== checksum) {
    await tryDelete(key);
    throw conflict('Checksum mismatch.');
  }
  const mimeType = await getMimeType(await readStart(key, size), name);
  return { type: getFileType(mimeType), mimeType, object: key, checksum };
};

/** Records the copy of an upload as the file, in no folder where that is gone by now. Says whether it did. */
const record = async (
  { file: announced, tree }: FoundFile,
  made: Partial<StoredFile>,
  deletion: ScheduledDeletion,
  audit: AuditRecorder,
): Promise<StoredFile | undefined> => {
  const { folderId } = announced;
  const isThere = folderId !== undefined && tree.folders[folderId] !== undefined;
  const file = nextFile(announced, {
    ...made,
    status: 'ready',
    folderId: isThere ? folderId : undefined,
    uploadBy: undefined,
    completeBy: undefined,
    copyKey: undefined,
    copyLeaseUntil: undefined,
  });
  return (await write(announced, file, audit, { object: cancelDeletionWrite(deletion) }))
    ? file
    : undefined;
};

/** Makes the copy and records it; of both objects the one that is not needed any more is deleted. */
const makeFile = async (
  found: FoundFile,
  uploaded: Uploaded,
  deletion: ScheduledDeletion,
  audit: AuditRecorder,
  copyMs: number,
): Promise<FoundFile | undefined> => {
  const { file: announced, tree } = found;
  const made = await copy(announced, uploaded, deletion, copyMs);
  const file = await record(found, made, deletion, audit);
  await tryDelete(file ? (announced.object ?? '') : deletion.key);
  return file && { file, tree };
};

/** Claims the copy and makes the file; a copy that fails is free for the next one, or left to somebody. */
const claimAndCopy = async (
  found: FoundFile,
  uploaded: Uploaded,
  audit: AuditRecorder,
  terms: Terms,
): Promise<FoundFile | undefined> => {
  const { file: announced } = found;
  const to = newFileKey();
  try {
    const deletion = await claim(announced, to, terms);
    if (!deletion) return undefined;
    const file = await makeFile(found, uploaded, deletion, audit, terms.copyMs);
    if (!file) await endClaim(announced, to, 0);
    return file;
  } catch (error) {
    const isLeft = terms.leave !== undefined && error instanceof CopyTimeoutError;
    if (isLeft) await terms.leave?.(to);
    await endClaim(announced, to, isLeft ? untilJobMs : 0);
    throw error;
  }
};

/**
 * Makes what was uploaded a file, with a copy that nobody else makes meanwhile. Answers `undefined` where somebody else
 * makes it, or was faster.
 * @throws CopyTimeoutError; AppError CONFLICT where the object is not there or not as it was announced; what S3 and the table throw
 */
export const finalizeUpload = async (
  found: FoundFile,
  audit: AuditRecorder,
  terms: Terms,
): Promise<FoundFile | undefined> => {
  const { file: announced } = found;
  try {
    const uploaded = assertAnnounced(announced, await findUploaded(announced.object ?? ''));
    return await claimAndCopy(found, uploaded, audit, terms);
  } catch (error) {
    // Another request may have completed it and deleted what was uploaded.
    const now = await find(announced.id);
    if (now && now.version !== announced.version) return undefined;
    throw error;
  }
};
