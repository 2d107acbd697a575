import { updateFields } from '../../../shared/db/field-update.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import type { Deadline } from '../../../shared/lists/process-items.ts';
import {
  createRevisionStore,
  type KeptRevision,
} from '../../../shared/revisions/revision-store.ts';
import { expireObject, storeTextsUntil } from '../../../shared/storage/stored-text.ts';
import { listEditing, maxEditing, type StoredDocument } from './document.ts';
import { documentKeys } from './keys.ts';
import { deleteRevisionsJob, forgetWriterJob, trimRevisionsJob } from './record/jobs.ts';

/** A former title and content of a document, as stored without its text. */
export interface StoredRevision extends KeptRevision {
  readonly title: string;
  /** Who wrote it last, unless removed, and when (ISO 8601). */
  readonly by?: number;
  readonly writtenAt: string;
}

const store = createRevisionStore<number, StoredRevision>({
  limits: {
    count: 50,
    bytes: 16 * 1024 * 1024,
    retentionMs: 90 * 86_400_000,
    // All that a change writes is one transaction, of 100 writes.
    deletedAtOnce: 2,
  },
  keyOf: (id, version) => documentKeys.revision.at({ id, version }),
  textKeyOf: (id, version) => documentKeys.revisionText.at({ id, version }),
  startOf: (id) => documentKeys.revision.prefix({ id }),
  trimLater: (id) => enqueueWrite(trimRevisionsJob, { id }),
});

/**
 * Lists the revisions of a document, the newest first; returns when one is deleted (ms since 1970); deletes all of a
 * document that was deleted, or what exceeds the limits, which is safe to repeat.
 */
export const {
  list: loadRevisions,
  getExpiry,
  removeAll: deleteRevisions,
  trim: trimRevisions,
} = store;

/** A revision with its content, `null` without one. */
export interface OpenedRevision {
  readonly revision: StoredRevision;
  readonly content: string | null;
}

/**
 * Reads a revision with its content.
 * @throws AppError NOT_FOUND if the document has no such revision, or no longer
 */
export const loadRevision = async (id: number, version: number): Promise<OpenedRevision> => {
  const { revision, texts } = await store.read(id, version, ['content']);
  return { revision, content: texts.content ?? null };
};

/** How long the changes of one person leave no revision: pages save while their user types (decisions.md#documents). */
const sessionMs = 600_000;

/** How much shorter a text gets, at least, for that alone to leave a revision. UTF-16 code units. */
const leastLoss = 100;

const isMostlyGone = (text: string, next: string): boolean =>
  text.length - next.length >= leastLoss && 2 * next.length < text.length;

/**
 * Returns whether a user's change of title or content leaves a revision: because it begins to be someone else's, because the
 * last revision is ten minutes old, or because most of the text goes. The first change of a new document leaves one unless
 * its author just goes on with it. `undefined`: the content stays.
 */
export const leavesRevision = (
  userId: number,
  document: StoredDocument,
  content: string | null,
  nextContent: string | null | undefined,
): boolean => {
  const { authorId, edited, revisedAt, createdAt } = document;
  const text = content ?? '';
  const next = nextContent === undefined ? text : (nextContent ?? '');
  if (isMostlyGone(text, next)) return true;
  if (Date.parse(revisedAt ?? createdAt) + sessionMs <= Date.now()) return true;
  if (!edited) return userId !== authorId || !next.startsWith(text);
  const writing = listEditing(document);
  // Of more than five who write at once, the document doesn't know who is new.
  return edited.by !== userId && !writing.includes(userId) && writing.length < maxEditing;
};

/** What the transaction of a change writes to keep what it replaces, and the field that says so. */
export interface KeptContent {
  readonly fields: { readonly revisedAt: string };
  readonly writes: readonly (Write | undefined)[];
}

/** How a change keeps what it replaces. */
interface Keeping {
  /** Whether it replaces the content, too. */
  readonly isReplaced: boolean;
  /** Whether its transaction has room to delete what exceeds the limits. Otherwise a job does. */
  readonly removesExcess: boolean;
}

/**
 * Stores title and content of a document as a revision. The object of a content that is replaced becomes the revision's; all
 * else is a copy.
 * @throws errors of S3
 */
export const keepRevision = async (
  { document, content }: { readonly document: StoredDocument; readonly content: string | null },
  { isReplaced, removesExcess }: Keeping,
): Promise<KeptContent> => {
  const { id, version, title, texts, edited, authorId, createdAt, revisedAt } = document;
  const replacedAt = new Date().toISOString();
  const expiresAt = getExpiry({ replacedAt });
  const owner = documentKeys.revisionText.at({ id, version });
  const keepText = async () =>
    isReplaced && texts?.place === 'bucket'
      ? { ref: texts, writes: [expireObject(owner, texts, expiresAt)] }
      : storeTextsUntil(owner, { content: content ?? undefined }, expiresAt, { inRecord: true });
  const [{ ref, writes }, stored] = await Promise.all([
    keepText(),
    revisedAt === undefined ? [] : store.readStored(id),
  ]);
  const by = edited ? edited.by : authorId;
  const revision: StoredRevision = {
    ...{ version, title, replacedAt, texts: ref },
    ...(by !== undefined && { by }),
    writtenAt: edited?.at ?? createdAt,
  };
  return {
    fields: { revisedAt: replacedAt },
    writes: [
      store.createWrite(id, revision),
      ...writes,
      ...store.removeExcess(id, revision, stored, removesExcess ? undefined : 0),
    ],
  };
};

/** Creates the write that leads to the deletion of a document's revisions, for the transaction that deletes it. */
export const deleteRevisionsWrite = ({ id, revisedAt }: StoredDocument): Write | undefined =>
  revisedAt === undefined ? undefined : enqueueWrite(deleteRevisionsJob, { id });

/** Creates the write that leads to revisions without a removed user, for the transaction that forgets who edited. */
export const forgetWriterWrite = (
  { id, revisedAt }: StoredDocument,
  userId: number,
): Write | undefined =>
  revisedAt === undefined ? undefined : enqueueWrite(forgetWriterJob, { id, userId });

/**
 * Removes who wrote them from the revisions of a document, for a user who was removed. Safe to repeat. Returns whether it
 * finished in time.
 */
export const forgetWriter = (id: number, userId: number, bound: Deadline): Promise<boolean> => {
  const condition = {
    expression: '#by = :user',
    names: { '#by': 'by' },
    values: { ':user': userId },
  };
  const forget = async (some: readonly StoredRevision[]): Promise<void> => {
    for (const { version } of some.filter(({ by }) => by === userId)) {
      const key = documentKeys.revision.at({ id, version });
      const write = updateFields(key, { by: undefined }, condition);
      // One that was deleted or changed meanwhile needs nothing.
      await transact([{ write, refused: 'gone' }]);
    }
  };
  return store.forEachSome(id, forget, bound);
};
