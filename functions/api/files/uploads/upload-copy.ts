import type { Change } from '../../../../shared/audit/audit-log.ts';
import { updateIf } from '../../../../shared/db/conditional-write.ts';
import { keys } from '../../../../shared/db/table.ts';
import { toLogEntry } from '../../../../shared/runtime/error-mapping.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { log } from '../../../../shared/runtime/telemetry.ts';
import {
  type Doom,
  doomBeforeUpload,
  saveObject,
  tryDelete,
} from '../../../../shared/storage/scheduled-deletions.ts';
import type { StoredFile } from '../record/file.ts';
import { type FoundFile, find, next, write } from '../record/files.ts';
import { mimeTypeOf, typeOf } from './media.ts';
import {
  CopyLate,
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
  { copyTo, copyUntil = '' }: StoredFile,
  former: string | undefined = undefined,
): boolean => copyTo !== former && Date.parse(copyUntil) > Date.now();

/** How a copy is made. */
interface Terms {
  /** How long it may take. */
  readonly copyMs: number;
  /** Where it was to be made by the one whose claim is taken over. */
  readonly former?: string | undefined;
  /** Leaves a copy that is late to somebody who takes over the claim. */
  readonly leave?: (copyTo: string) => Promise<void>;
}

const after = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Claims the copy of an upload as it was seen, and dooms it; `undefined` where somebody else makes it. */
const claim = async (
  { id, version }: StoredFile,
  to: string,
  { copyMs, former }: Terms,
): Promise<Doom | undefined> => {
  const [{ written }, doom] = await Promise.all([
    updateIf({
      Key: keys.file(id),
      UpdateExpression: 'SET copyTo = :to, copyUntil = :until',
      // Sent again after a lost answer, it finds itself.
      ConditionExpression:
        'version = :seen AND (attribute_not_exists(copyTo) OR copyTo IN (:to, :former) OR copyUntil <= :now)',
      ExpressionAttributeValues: {
        ':to': to,
        ':until': after(copyMs + recordMs),
        ':seen': version,
        ':former': former ?? to,
        ':now': after(0),
      },
    }),
    doomBeforeUpload(to),
  ]);
  return written ? doom : undefined;
};

/** Lets a claim end in so many ms; where that fails, or takes more than a second, it ends by itself. */
const endClaim = async ({ id }: StoredFile, to: string, ms: number): Promise<void> => {
  try {
    await updateIf(
      {
        Key: keys.file(id),
        UpdateExpression: 'SET copyUntil = :until',
        ConditionExpression: 'copyTo = :to',
        ExpressionAttributeValues: { ':to': to, ':until': after(ms) },
      },
      { timeoutMs: 1_000 },
    );
  } catch (error) {
    log().warn('A copy stays claimed for a while', { failure: toLogEntry(error) });
  }
};

const conflict = (message: string): AppError => new AppError('CONFLICT', message);

const checkAnnounced = (announced: StoredFile, found: Uploaded | undefined): Uploaded => {
  if (!found) throw conflict('There is nothing uploaded yet: upload the file first');
  if (found.size !== announced.size) {
    throw conflict(`${announced.size} bytes were announced, and ${found.size} are there`);
  }
  return found;
};

/** Copies what was uploaded, as it was found; answers what the copy tells of the file, if it is as it was announced. */
const copy = async (
  announced: StoredFile,
  found: Uploaded,
  { key }: Doom,
  copyMs: number,
): Promise<Pick<StoredFile, 'type' | 'mimeType' | 'object' | 'checksum'>> => {
  const { object = '', size, name } = announced;
  const checksum = await copyUploaded(object, found, key, copyMs);
  if (checksum === undefined) throw conflict('It is being uploaded again: wait until that is done');
  if (announced.checksum !== undefined && announced.checksum !== checksum) {
    await tryDelete(key);
    throw conflict('The bytes that are there have another checksum than was announced');
  }
  const mimeType = await mimeTypeOf(await readStart(key, size), name);
  return { type: typeOf(mimeType), mimeType, object: key, checksum };
};

/** Records the copy of an upload as the file, in no folder where that is gone by now. Says whether it did. */
const record = async (
  { file: announced, tree }: FoundFile,
  made: Partial<StoredFile>,
  doom: Doom,
  change: Change,
): Promise<StoredFile | undefined> => {
  const { folderId } = announced;
  const isThere = folderId !== undefined && tree.folders[folderId] !== undefined;
  const file = next(announced, {
    ...made,
    status: 'ready',
    folderId: isThere ? folderId : undefined,
    beginBy: undefined,
    completeBy: undefined,
    copyTo: undefined,
    copyUntil: undefined,
  });
  return (await write(announced, file, change, { object: saveObject(doom) })) ? file : undefined;
};

/** Makes the copy and records it; of both objects the one that is not needed any more is deleted. */
const makeFile = async (
  found: FoundFile,
  uploaded: Uploaded,
  doom: Doom,
  change: Change,
  copyMs: number,
): Promise<FoundFile | undefined> => {
  const { file: announced, tree } = found;
  const made = await copy(announced, uploaded, doom, copyMs);
  const file = await record(found, made, doom, change);
  await tryDelete(file ? (announced.object ?? '') : doom.key);
  return file && { file, tree };
};

/** Claims the copy and makes the file; a copy that fails is free for the next one, or left to somebody. */
const claimAndMake = async (
  found: FoundFile,
  uploaded: Uploaded,
  change: Change,
  terms: Terms,
): Promise<FoundFile | undefined> => {
  const { file: announced } = found;
  const to = newFileKey();
  try {
    const doom = await claim(announced, to, terms);
    if (!doom) return undefined;
    const file = await makeFile(found, uploaded, doom, change, terms.copyMs);
    if (!file) await endClaim(announced, to, 0);
    return file;
  } catch (error) {
    const isLeft = terms.leave !== undefined && error instanceof CopyLate;
    if (isLeft) await terms.leave?.(to);
    await endClaim(announced, to, isLeft ? untilJobMs : 0);
    throw error;
  }
};

/**
 * Makes what was uploaded a file, with a copy that nobody else makes meanwhile. Answers `undefined` where somebody else
 * makes it, or was faster.
 * @throws CopyLate; AppError CONFLICT where the object is not there or not as it was announced; what S3 and the table throw
 */
export const putInPlace = async (
  found: FoundFile,
  change: Change,
  terms: Terms,
): Promise<FoundFile | undefined> => {
  const { file: announced } = found;
  try {
    const uploaded = checkAnnounced(announced, await findUploaded(announced.object ?? ''));
    return await claimAndMake(found, uploaded, change, terms);
  } catch (error) {
    // Another request may have completed it and deleted what was uploaded.
    const now = await find(announced.id);
    if (now && now.version !== announced.version) return undefined;
    throw error;
  }
};
