import type { ChangeRecorder } from '../audit/audit-log.ts';
import type { Actor } from '../auth/actor.ts';
import type { Partition } from '../db/query.ts';
import type { Step, Write } from '../db/transaction.ts';
import { isSameRecord, nextVersion } from '../db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../http/content/etag.ts';
import type { JobType } from '../jobs/job-type.ts';
import { enqueueWrite } from '../jobs/outbox.ts';
import { type Bound, forEachId } from '../lists/process-items.ts';
import type { Sender } from '../notifications/notification.ts';
import { type Author, readUsers, toAuthor } from '../users/person.ts';
import { addReaders, type ReaderRole, type Sharing } from './readers.ts';

/** A record that its owner shares with readers. */
export interface SharedRecord {
  readonly id: number;
  readonly sharedWith: readonly number[];
  readonly updatedAt: string;
  readonly version: number;
}

/** Steps of the transaction that writes a record. If one is refused, the task runs again. */
export type Alongside = readonly (Write | Step<'changed'> | undefined)[];

/** The role that readers are given. Without one, new readers only read and others keep what they have. */
export interface GivenRole {
  readonly userIds: readonly number[];
  readonly role: ReaderRole | undefined;
}

/** Fields that the next version of a record has otherwise; `undefined` removes one. */
export type ChangedFields<Stored> = { readonly [F in keyof Stored]?: Stored[F] | undefined };

/** A kind of shared records, such as documents. `Found` is a record with what is read together with it. */
export interface SharedKind<Stored extends SharedRecord, Found> {
  /** Notifies new readers. */
  readonly job: JobType<typeof Sharing>;
  /** Audits a removed user who stops being a reader. */
  readonly auditRemoval: ChangeRecorder;
  getOwner(record: Stored): number;
  getRecord(found: Found): Stored;
  withRecord(found: Found, record: Stored): Found;
  /** Partition of the records shared with a user. */
  listShared(userId: number): Partition;
  find(id: number): Promise<Stored | undefined>;
  /** @throws AppError NOT_FOUND */
  findEditable(actor: Actor, id: number): Promise<Found>;
  /** @throws AppError VALIDATION_ERROR */
  assertShareable?(record: Stored): void;
  /** Returns the fields of a record that say who reads it and what they may do beyond. Without it, they only read. */
  toReaders?(
    record: Stored,
    sharedWith: readonly number[],
    given?: GivenRole,
  ): ChangedFields<Stored>;
  /** Returns the fields that name a removed user otherwise. */
  forget?(record: Stored, userId: number): ChangedFields<Stored>;
  /** Returns false after a concurrent write. */
  write(
    before: Stored,
    after: Stored,
    recorder: ChangeRecorder,
    alongside?: Alongside,
  ): Promise<boolean>;
  /** Runs a task again while it returns `undefined` because of a concurrent write. */
  retry<Result>(task: () => Promise<Result | undefined>): Promise<Result>;
}

/** Creates the write that notifies new readers of a record, if there are any. */
export const notificationWrite = (
  job: JobType<typeof Sharing>,
  { id: userId, name }: Sender,
  before: SharedRecord,
  { id, sharedWith, updatedAt }: SharedRecord,
): Write | undefined => {
  const userIds = sharedWith.filter((userId) => !before.sharedWith.includes(userId));
  if (userIds.length === 0) return undefined;
  return enqueueWrite(job, { id, userIds, sharedBy: { id: userId, name }, sharedAt: updatedAt });
};

/** Creates what shares records of a kind with readers. */
export const createSharing = <Stored extends SharedRecord, Found>(
  kind: SharedKind<Stored, Found>,
) => {
  const withReaders = (
    record: Stored,
    sharedWith: readonly number[],
    given?: GivenRole,
    forgotten?: ChangedFields<Stored>,
  ): Stored => {
    const fields = kind.toReaders?.(record, sharedWith, given) ?? { sharedWith };
    return nextVersion(record, { ...fields, ...forgotten } as ChangedFields<Stored>);
  };

  const changeReaders =
    (toReaders: (record: Stored, userIds: readonly number[]) => Promise<readonly number[]>) =>
    (
      actor: Actor,
      id: number,
      userIds: readonly number[],
      ifMatch: IfMatch | undefined,
      recorder: ChangeRecorder,
      role?: ReaderRole,
    ): Promise<Found> =>
      kind.retry(async () => {
        const found = await kind.findEditable(actor, id);
        const before = kind.getRecord(found);
        assertVersion(ifMatch, before.version);
        const after = withReaders(before, await toReaders(before, userIds), { userIds, role });
        if (isSameRecord(before, after)) return found;
        const notice = notificationWrite(kind.job, actor.user, before, after);
        const isWritten = await kind.write(before, after, recorder, [notice]);
        return isWritten ? kind.withRecord(found, after) : undefined;
      });

  return {
    /**
     * Shares a record with users, in the role if one is given, and notifies the new readers. If one is removed concurrently, the job that reconciles
     * users stops sharing with that user.
     * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR for `userIds`
     */
    share: changeReaders(async (record, userIds) => {
      kind.assertShareable?.(record);
      const added = await addReaders(kind.getOwner(record), record.sharedWith, userIds);
      return [...record.sharedWith, ...added];
    }),

    /**
     * Stops sharing a record with users.
     * @throws AppError NOT_FOUND; PRECONDITION_FAILED
     */
    unshare: changeReaders(async ({ sharedWith }, userIds) =>
      sharedWith.filter((userId) => !userIds.includes(userId)),
    ),

    /**
     * Reads a record, and the users with whom it is shared, without removed ones.
     * @throws AppError NOT_FOUND
     */
    readReaders: async (
      actor: Actor,
      id: number,
    ): Promise<{ readonly record: Stored; readonly readers: readonly Author[] }> => {
      const record = kind.getRecord(await kind.findEditable(actor, id));
      const users = await readUsers(record.sharedWith);
      const readers = record.sharedWith.flatMap((userId) => toAuthor(users.get(userId)) ?? []);
      return { record, readers };
    },

    /** Removes a removed user from the readers of all records. Returns whether all are done. */
    removeFromReaders: (userId: number, bound: Bound): Promise<boolean> =>
      forEachId(
        kind.listShared(userId),
        (id) =>
          kind.retry(async () => {
            const before = await kind.find(id);
            if (!before?.sharedWith.includes(userId)) return true;
            const readers = before.sharedWith.filter((reader) => reader !== userId);
            const forgotten = kind.forget?.(before, userId);
            const after = withReaders(before, readers, undefined, forgotten);
            return (await kind.write(before, after, kind.auditRemoval)) || undefined;
          }),
        bound,
      ),
  };
};
