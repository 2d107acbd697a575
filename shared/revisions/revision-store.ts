import { batchGet } from '../db/dynamodb.ts';
import { itemParser } from '../db/item-parser.ts';
import type { Key } from '../db/key.ts';
import { queryItems, startAt } from '../db/query.ts';
import { createItemWrite, deleteItemWrite, transact, type Write } from '../db/transaction.ts';
import { type Deadline, processItemsFrom } from '../lists/process-items.ts';
import { AppError } from '../runtime/errors.ts';
import { countTextBytes, readTexts, removeTexts, type TextsRef } from '../storage/stored-text.ts';

/** A former content of a record, as stored without its text. */
export interface KeptRevision {
  /** The version of the record that the next content replaced. */
  readonly version: number;
  /** ISO 8601. */
  readonly replacedAt: string;
  readonly texts: TextsRef;
}

/** What is kept of a record's former contents: the oldest go first, and the newest one is always there if its text may be. */
export interface RevisionLimits {
  readonly count: number;
  /** Of all texts together (UTF-8). */
  readonly bytes: number;
  readonly retentionMs: number;
  /** How many a change deletes at most. Those beyond are hidden until a job deletes them. */
  readonly deletedAtOnce: number;
}

/** The revisions of a kind of records, such as shares. */
interface RevisionKind<Id, Stored extends KeptRevision> {
  readonly limits: RevisionLimits;
  /** The key of a revision, and of its text unless that is in the bucket. */
  readonly keyOf: (id: Id, version: number) => Key;
  readonly textKeyOf: (id: Id, version: number) => Key;
  /** The start of the keys of a record's revisions. */
  readonly startOf: (id: Id) => Key;
  /** Creates the write that deletes what a revision has besides its text. */
  readonly removeMore?: (id: Id, revision: Stored) => Write | undefined;
  /** Creates the write that leads to `trim`. */
  readonly trimLater: (id: Id) => Write;
}

/** A revision with its texts by name. */
export interface ReadRevision<Stored, Name extends string> {
  readonly revision: Stored;
  readonly texts: Partial<Record<Name, string>>;
}

/** How many revisions are deleted at once, with what they have. A transaction has at most 100 writes. */
const deletedTogether = 20;

/** Creates the error of a revision that doesn't exist, or no longer. */
export const revisionNotFound = () => new AppError('NOT_FOUND', 'Revision not found.');

/** Creates the store of the revisions of a kind of records. */
export const createRevisionStore = <Id, Stored extends KeptRevision>({
  limits,
  keyOf,
  textKeyOf,
  startOf,
  removeMore,
  trimLater,
}: RevisionKind<Id, Stored>) => {
  const parse = itemParser<Stored>('revision', ['version', 'texts']);

  /** Returns when a revision is deleted (ms since 1970). */
  const getExpiry = ({ replacedAt }: Pick<KeptRevision, 'replacedAt'>): number =>
    Date.parse(replacedAt) + limits.retentionMs;

  /** Reads the newest that are stored, the newest first: those that are kept, and as many that exceed the limits. */
  const readStored = async (id: Id): Promise<Stored[]> => {
    const query = { ...startAt(startOf(id)), ScanIndexForward: false };
    return (await queryItems(query, 2 * limits.count, undefined)).map(parse);
  };

  /** Returns the newest revisions within the limits of number, age and size. */
  const selectKept = (revisions: readonly Stored[]): readonly Stored[] => {
    const now = Date.now();
    let bytes = 0;
    const excess = revisions.findIndex((one, at) => {
      bytes += countTextBytes(one.texts);
      return at === limits.count || bytes > limits.bytes || getExpiry(one) <= now;
    });
    return excess === -1 ? revisions : revisions.slice(0, excess);
  };

  const removalWrites = (id: Id, revision: Stored): (Write | undefined)[] => [
    deleteItemWrite(keyOf(id, revision.version)),
    removeTexts(textKeyOf(id, revision.version), revision.texts),
    removeMore?.(id, revision),
  ];

  /** Calls `work` with all that are stored, the oldest first. Returns whether it finished in time. */
  const forEachSome = async (
    id: Id,
    work: (some: readonly Stored[]) => Promise<unknown>,
    bound: Deadline,
  ): Promise<boolean> => {
    const { isAtEnd } = await processItemsFrom(
      startAt(startOf(id)),
      undefined,
      async (items) => {
        await work(items.map(parse));
      },
      { ...bound, atOnce: deletedTogether },
    );
    return isAtEnd;
  };

  const remove = async (id: Id, some: readonly Stored[]): Promise<void> => {
    if (some.length > 0) await transact(some.flatMap((one) => removalWrites(id, one)));
  };

  return {
    getExpiry,
    readStored,
    forEachSome,

    /** Lists the revisions of a record, the newest first. */
    list: async (id: Id): Promise<readonly Stored[]> => selectKept(await readStored(id)),

    /**
     * Reads a revision with its texts, if `canSee` it.
     * @throws AppError NOT_FOUND if the record has no such revision, or no longer
     */
    read: async <Name extends string>(
      id: Id,
      version: number,
      names: readonly Name[],
      canSee: (revision: Stored) => boolean = () => true,
    ): Promise<ReadRevision<Stored, Name>> => {
      const textKey = textKeyOf(id, version);
      const [item, textItem] = await batchGet([keyOf(id, version), textKey]);
      const revision = item && parse(item);
      if (revision && getExpiry(revision) > Date.now() && canSee(revision)) {
        const texts = await readTexts(textKey, revision.texts, names, textItem);
        if (texts) return { revision, texts };
      }
      throw revisionNotFound();
    },

    /** Creates the write of a revision, for the transaction that replaces the content. */
    createWrite: (id: Id, revision: Stored): Write =>
      createItemWrite(keyOf(id, revision.version), {
        ...revision,
        ttl: Math.ceil(getExpiry(revision) / 1_000),
      }),

    /**
     * Creates the writes that delete what exceeds the limits once a revision is added to those that are stored: as many as there
     * is room for, and for the rest that of the job that does.
     */
    removeExcess: (
      id: Id,
      added: Stored,
      stored: readonly Stored[],
      room = limits.deletedAtOnce,
    ): (Write | undefined)[] => {
      const all = [added, ...stored];
      const excess = all.slice(selectKept(all).length);
      return [
        ...excess.slice(0, room).flatMap((one) => removalWrites(id, one)),
        excess.length > room ? trimLater(id) : undefined,
      ];
    },

    /** Deletes what exceeds the limits. Safe to repeat. Returns whether it finished in time. */
    trim: async (id: Id, bound: Deadline): Promise<boolean> => {
      const stored = await readStored(id);
      // What is added meanwhile is newer.
      const first = selectKept(stored).at(-1)?.version ?? (stored[0]?.version ?? 0) + 1;
      const isExcess = ({ version }: Stored) => version < first;
      return forEachSome(id, (some) => remove(id, some.filter(isExcess)), bound);
    },

    /**
     * Deletes all revisions of a record that was deleted or has ended. Safe to repeat. Returns whether it finished in time.
     */
    removeAll: (id: Id, bound: Deadline): Promise<boolean> =>
      forEachSome(id, (some) => remove(id, some), bound),
  };
};
