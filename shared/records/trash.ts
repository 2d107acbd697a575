import type { ChangeRecorder } from '../audit/audit-log.ts';
import type { Actor } from '../auth/actor.ts';
import type { AnyKeyFamily } from '../db/key.ts';
import { countItems, inDirection, type ListKey, type Partition, queryItems } from '../db/query.ts';
import { nextVersion } from '../db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../http/content/etag.ts';
import { toPlaces } from '../lists/list-partitions.ts';
import {
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPageFrom,
  type Source,
} from '../lists/pagination.ts';
import { runEach } from '../schedule/due-work.ts';
import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { findExistingUsers } from '../users/person.ts';
import type { ListEntry } from './index-entries.ts';
import type { ChangedFields, SharedKind, SharedRecord } from './sharing.ts';

/** A record that can be in its owner's trash. */
export interface TrashableRecord extends SharedRecord {
  /** When it was moved to the trash (ISO 8601). */
  readonly deletedAt?: string;
}

/** How long a record stays in the trash before it is permanently deleted (decisions.md#trash). */
const retentionMs = 30 * 86_400_000;

/** Returns when a record moved to the trash at `deletedAt` is permanently deleted (ISO 8601). */
export const getPurgeTime = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + retentionMs).toISOString();

/** Returns whether the retention time of a record in the trash is over, even if it is still stored. */
export const isPurged = ({ deletedAt }: Pick<TrashableRecord, 'deletedAt'>): boolean =>
  deletedAt !== undefined && Date.parse(deletedAt) + retentionMs <= Date.now();

/** A kind of records with a trash, such as documents. `Listed` is a record as the trash shows it. */
interface TrashKind<Stored extends TrashableRecord, Found> {
  /** Names the scheduled work. */
  readonly name: string;
  readonly shared: SharedKind<Stored, Found>;
  /** When records in the trash are permanently deleted. Each entry has its owner, as `getOwner` returns it. */
  readonly purges: AnyKeyFamily;
  getOwner(entry: ListKey): unknown;
  /** Partition of an owner's trash, by time of deletion. */
  trashOf(ownerId: number): Partition;
  countTrashed(ownerId: number): Promise<number>;
  /** @throws AppError NOT_FOUND */
  findTrashed(actor: Actor, id: number): Promise<Found>;
  /** Returns the fields that a record in the trash has besides the time. */
  toTrashed?(record: Stored): ChangedFields<Stored>;
  /** Returns the fields that a restored record has besides its readers. */
  toRestored?(found: Found): ChangedFields<Stored>;
  /** Audits deletions when the retention time is over. */
  readonly auditPurge: ChangeRecorder;
  /** Deletes a record with what it holds. Returns `undefined` if it has changed since. */
  remove(record: Stored, recorder: ChangeRecorder): Promise<true | undefined>;
}

/** Creates the trash of a kind of records. */
export const createTrash = <Stored extends TrashableRecord, Found, Listed extends ListEntry>(
  kind: TrashKind<Stored, Found>,
) => {
  const { shared } = kind;

  /** Moves a record to the trash; `undefined` if it has changed since. */
  const moveFound = async (found: Found, recorder: ChangeRecorder): Promise<true | undefined> => {
    const before = shared.getRecord(found);
    const fields = { ...kind.toTrashed?.(before), deletedAt: new Date().toISOString() };
    const after = nextVersion(before, fields as ChangedFields<Stored>);
    return (await shared.write(before, after, recorder)) || undefined;
  };

  const purgeIfDue = ({ id }: ListKey): Promise<true> =>
    shared.retry(async () => {
      const current = await shared.find(id as number);
      // The index is eventually consistent: the record may have been restored or deleted.
      if (!current || !isPurged(current)) return true;
      return kind.remove(current, kind.auditPurge);
    });

  /** Permanently deletes records that have been in the trash for 30 days, an owner's one after another. */
  const trashed: ScheduledWork = {
    name: kind.name,
    due: kind.purges,
    run: (items, bound) => runEach(items, purgeIfDue, bound, kind.getOwner),
  };

  return {
    moveFound,
    trashed,

    /**
     * Moves a record to its owner's trash, where no one can read it. Its readers are kept for `restore`.
     * @throws AppError NOT_FOUND; PRECONDITION_FAILED
     */
    moveToTrash: async (
      actor: Actor,
      id: number,
      ifMatch: IfMatch | undefined,
      recorder: ChangeRecorder,
    ): Promise<void> => {
      await shared.retry(async () => {
        const found = await shared.findEditable(actor, id);
        assertVersion(ifMatch, shared.getRecord(found).version);
        return moveFound(found, recorder);
      });
    },

    /**
     * Restores a record from the trash, shared with those of its readers who still exist.
     * @throws AppError NOT_FOUND; PRECONDITION_FAILED
     */
    restore: (
      actor: Actor,
      id: number,
      ifMatch: IfMatch | undefined,
      recorder: ChangeRecorder,
    ): Promise<Found> =>
      shared.retry(async () => {
        const found = await kind.findTrashed(actor, id);
        const before = shared.getRecord(found);
        assertVersion(ifMatch, before.version);
        const sharedWith = await findExistingUsers(before.sharedWith);
        const after = nextVersion(before, {
          ...(shared.toReaders?.(before, sharedWith) ?? { sharedWith }),
          ...kind.toRestored?.(found),
          deletedAt: undefined,
        } as ChangedFields<Stored>);
        return (await shared.write(before, after, recorder))
          ? shared.withRecord(found, after)
          : undefined;
      }),

    /**
     * Permanently deletes a record in the trash.
     * @throws AppError NOT_FOUND; PRECONDITION_FAILED
     */
    purge: async (
      actor: Actor,
      id: number,
      ifMatch: IfMatch | undefined,
      recorder: ChangeRecorder,
    ): Promise<void> => {
      await shared.retry(async () => {
        const current = shared.getRecord(await kind.findTrashed(actor, id));
        assertVersion(ifMatch, current.version);
        return kind.remove(current, recorder);
      });
    },

    /** Lists a user's records in the trash, last deleted first, without those whose retention time is over. */
    listTrash: async (userId: number, request: PageRequest): Promise<ListResult<Listed>> => {
      // `~` sorts after the ids that follow the same millisecond.
      const expiryBound = `${new Date(Date.now() - retentionMs).toISOString()}#~`;
      const trashQuery = (comparison: '>' | '<=') => ({
        KeyConditionExpression: `pk = :pk AND sk ${comparison} :bound`,
        ExpressionAttributeValues: { ':pk': kind.trashOf(userId).pk, ':bound': expiryBound },
        ScanIndexForward: false,
        ConsistentRead: true,
      });
      const readRetained: Source = async (count, after, isReversed) => {
        // A cursor can expire between two pages, and DynamoDB rejects a start key outside the query's range.
        const isExpired = after !== undefined && String(after['sk']) < expiryBound;
        if (isExpired && !isReversed) return { items: [] };
        const query = inDirection(trashQuery('>'), isReversed);
        return { items: await queryItems(query, count, isExpired ? undefined : after) };
      };
      const [page, total, expired] = await Promise.all([
        readPageFrom(readRetained, false, request, `${kind.name}#${userId}`),
        kind.countTrashed(userId),
        countItems(trashQuery('<='), maxCountedMatches),
      ]);
      return {
        ...page,
        items: toPlaces<Listed>(page.items),
        // Expired records can be deleted between the two counts.
        total: Math.max(total - expired, 0),
        totalIsExact: true,
      };
    },
  };
};
