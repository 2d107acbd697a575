import type { Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import {
  createRevisionStore,
  type KeptRevision,
  revisionNotFound,
} from '../../../../shared/revisions/revision-store.ts';
import { maxHtmlBytes } from '../../../../shared/share-files/limits.ts';
import { removeTexts, storeTextsUntil } from '../../../../shared/storage/stored-text.ts';
import { deleteRevisionsJob, trimRevisionsJob } from './jobs.ts';
import { shareKeys } from './keys.ts';
import type { Language, StoredFiles, StoredShare } from './share.ts';

export const revisionRetentionMs = 30 * 86_400_000;

/** A former content of a share, as stored without its text. */
export interface StoredRevision extends KeptRevision {
  readonly language: Language;
  /** Its files, if it had more than one text. */
  readonly files?: StoredFiles;
  /** Whether it was the content while the share had a password or a limit. Readers never see it. */
  readonly isRestricted?: true;
}

/** The revisions of shares (decisions.md#revisions): the newest one is always there. */
const store = createRevisionStore<string, StoredRevision>({
  limits: {
    count: 50,
    bytes: maxHtmlBytes,
    retentionMs: revisionRetentionMs,
    deletedAtOnce: 20,
  },
  keyOf: (id, version) => shareKeys.revision.at({ id, version }),
  textKeyOf: (id, version) => shareKeys.revisionText.at({ id, version }),
  startOf: (id) => shareKeys.revision.prefix({ id }),
  removeMore: (id, { version, files }) =>
    files && removeTexts(shareKeys.revisionFiles.at({ id, version }), files.ref),
  trimLater: (id) => enqueueWrite(trimRevisionsJob, { id }),
});

/**
 * Lists the revisions of a share, the newest first; returns when one is deleted (ms since 1970); deletes all of a share that
 * was deleted or has ended, or what exceeds the limits, which is safe to repeat.
 */
export const {
  list: loadRevisions,
  getExpiry,
  removeAll: deleteRevisions,
  trim: trimRevisions,
} = store;

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
  const { revision, texts } = await store.read(id, version, ['source'], canSee);
  if (texts.source === undefined) throw revisionNotFound();
  return { revision, source: texts.source };
};

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
    store.readStored(id),
  ]);
  const replacedAt = new Date(now).toISOString();
  const revision: StoredRevision = {
    ...{ version, language, replacedAt, texts: ref },
    ...(list && { files: list.files }),
    ...(isRestricted && { isRestricted }),
  };
  return [
    store.createWrite(id, revision),
    ...writes,
    ...(list?.writes ?? []),
    ...store.removeExcess(id, revision, stored),
  ];
};

/** Creates the write that leads to the deletion of a share's revisions, for the transaction that deletes it. */
export const deleteRevisionsWrite = ({ id, hasRevisions }: StoredShare): Write | undefined =>
  hasRevisions && enqueueWrite(deleteRevisionsJob, { id });
