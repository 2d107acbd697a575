import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { queryItems, startAt } from '../../../../shared/db/query.ts';
import {
  createItemWrite,
  deleteItemWrite,
  transact,
  type Write,
} from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { maxHtmlBytes } from '../../../../shared/share-files/limits.ts';
import {
  countTextBytes,
  readTexts,
  removeTexts,
  storeTextsUntil,
  type TextsRef,
} from '../../../../shared/storage/stored-text.ts';
import { deleteRevisionsJob } from './jobs.ts';
import { shareKeys } from './keys.ts';
import type { Language, StoredFiles, StoredShare } from './share.ts';

/** What is kept of a share's former contents (decisions.md#revisions): the newest one always. */
export const maxRevisions = 50;
export const maxRevisionBytes = maxHtmlBytes;
export const revisionRetentionMs = 30 * 86_400_000;

/** More than a share has: each change of its content removes what exceeds the limits. */
const maxStored = 2 * maxRevisions;

/** How many revisions are deleted at once, with their texts. A transaction has at most 100 writes. */
const maxDeleted = 20;

/** A former content of a share, as stored without its text. */
export interface StoredRevision {
  /** The version of the share that the next content replaced. */
  readonly version: number;
  readonly language: Language;
  /** ISO 8601. */
  readonly replacedAt: string;
  readonly texts: TextsRef;
  /** Its files, if it had more than one text. */
  readonly files?: StoredFiles;
  /** Whether it was the content while the share had a password or a limit. Readers never see it. */
  readonly isRestricted?: true;
}

const parseRevision = itemParser<StoredRevision>('revision', ['version', 'texts']);

/** Returns when a revision is deleted (ms since 1970). */
export const getExpiry = ({ replacedAt }: StoredRevision): number =>
  Date.parse(replacedAt) + revisionRetentionMs;

/** Reads all that are stored, the newest first. */
const readStored = async (id: string): Promise<StoredRevision[]> => {
  const query = { ...startAt(shareKeys.revision.prefix({ id })), ScanIndexForward: false };
  return (await queryItems(query, maxStored, undefined)).map(parseRevision);
};

/** Returns the newest revisions within the limits of number, age and size. */
const selectKept = (revisions: readonly StoredRevision[]): readonly StoredRevision[] => {
  const now = Date.now();
  let bytes = 0;
  const excess = revisions.findIndex((one, at) => {
    bytes += countTextBytes(one.texts);
    return at === maxRevisions || bytes > maxRevisionBytes || getExpiry(one) <= now;
  });
  return excess === -1 ? revisions : revisions.slice(0, excess);
};

/** Lists the revisions of a share, the newest first. */
export const loadRevisions = async (id: string): Promise<readonly StoredRevision[]> =>
  selectKept(await readStored(id));

export const revisionNotFound = () => new AppError('NOT_FOUND', 'Revision not found.');

/** A revision with its source. */
export interface OpenedRevision {
  readonly revision: StoredRevision;
  readonly source: string;
}

/**
 * Reads a revision with its source, if `canSee` it.
 * @throws AppError NOT_FOUND if the share has no such revision, or no longer
 */
export const loadRevision = async (
  id: string,
  version: number,
  canSee: (revision: StoredRevision) => boolean,
): Promise<OpenedRevision> => {
  const textKey = shareKeys.revisionText.at({ id, version });
  const [item, textItem] = await batchGet([shareKeys.revision.at({ id, version }), textKey]);
  const revision = item && parseRevision(item);
  if (revision && getExpiry(revision) > Date.now() && canSee(revision)) {
    const { source } = (await readTexts(textKey, revision.texts, ['source'], textItem)) ?? {};
    if (source !== undefined) return { revision, source };
  }
  throw revisionNotFound();
};

const deletionWrites = (
  id: string,
  { version, texts, files }: StoredRevision,
): (Write | undefined)[] => [
  deleteItemWrite(shareKeys.revision.at({ id, version })),
  removeTexts(shareKeys.revisionText.at({ id, version }), texts),
  files && removeTexts(shareKeys.revisionFiles.at({ id, version }), files.ref),
];

/** What a share has until now. */
interface FormerContent {
  readonly source: string;
  readonly isRestricted: boolean;
  /** Stores the list of its files, if it has any, until a time (ms since 1970). */
  readonly storeFiles: (
    expiresAt: number,
  ) => Promise<{ readonly files: StoredFiles; readonly writes: readonly Write[] } | undefined>;
}

/**
 * Stores what a share has until now as a revision, which readers can see unless it is restricted. Returns the writes for the
 * transaction that replaces it; they also delete what exceeds the limits.
 */
export const keepRevision = async (
  { id, version, language }: StoredShare,
  { source, isRestricted, storeFiles }: FormerContent,
): Promise<(Write | undefined)[]> => {
  const now = Date.now();
  const expiresAt = now + revisionRetentionMs;
  const [{ ref, writes }, list, stored] = await Promise.all([
    storeTextsUntil(shareKeys.revisionText.at({ id, version }), { source }, expiresAt),
    storeFiles(expiresAt),
    readStored(id),
  ]);
  const replacedAt = new Date(now).toISOString();
  const revision: StoredRevision = {
    ...{ version, language, replacedAt, texts: ref },
    ...(list && { files: list.files }),
    ...(isRestricted && { isRestricted }),
  };
  const item = { ...revision, ttl: Math.ceil(expiresAt / 1_000) };
  const all = [revision, ...stored];
  return [
    createItemWrite(shareKeys.revision.at({ id, version }), item),
    ...writes,
    ...(list?.writes ?? []),
    ...all
      .slice(selectKept(all).length)
      .slice(0, maxDeleted)
      .flatMap((one) => deletionWrites(id, one)),
  ];
};

/** Creates the write that leads to the deletion of a share's revisions, for the transaction that deletes it. */
export const deleteRevisionsWrite = ({ id, hasRevisions }: StoredShare): Write | undefined =>
  hasRevisions && enqueueWrite(deleteRevisionsJob, { id });

/** Deletes all revisions of a share that was deleted or has ended. Safe to repeat. */
export const deleteRevisions = async (id: string): Promise<void> => {
  const stored = await readStored(id);
  for (let at = 0; at < stored.length; at += maxDeleted) {
    await transact(stored.slice(at, at + maxDeleted).flatMap((one) => deletionWrites(id, one)));
  }
};
