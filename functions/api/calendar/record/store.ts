import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import { incrementTotal } from '../../../../shared/counters/total.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { transact, type Write } from '../../../../shared/db/transaction.ts';
import { nextVersion, writeVersion } from '../../../../shared/db/versioned-record.ts';
import { retryOnConflict } from '../../../../shared/runtime/retry.ts';
import { filterByExistingOwner } from '../../../../shared/users/person.ts';
import { diffForAudit } from './audit.ts';
import { isOpenTask, type StoredEvent } from './event.ts';
import { indexWrites } from './index-entries.ts';
import { reminderWrite } from './reminder-schedule.ts';

/**
 * Tries something again that answers `undefined` where somebody else was faster.
 * @throws AppError SERVICE_UNAVAILABLE when it never comes through
 */
export const untilDone = retryOnConflict('The event keeps changing: try again');

/** The event of an item. */
export const toEvent = (item: Record<string, unknown> | undefined): StoredEvent | undefined => {
  if (!item) return undefined;
  const { pk, sk, ...event } = item;
  return event as unknown as StoredEvent;
};

/** The events of these ids, each where it is there; strongly consistent. */
export const findAll = async (ids: readonly number[]): Promise<(StoredEvent | undefined)[]> =>
  (await batchGet(ids.map(keys.event))).map(toEvent);

/**
 * The events of these ids whose owners exist; the user for whom they are read, if any, is known to. Nothing of a removed owner may be read, although a job may
 * still have to remove or transfer it.
 */
export const findReadable = async (
  userId: number | undefined,
  ids: readonly number[],
): Promise<StoredEvent[]> => {
  const events = (await findAll(ids)).filter((event) => event !== undefined);
  return filterByExistingOwner(events, userId);
};

/** An event by id; strongly consistent. */
export const find = async (id: number): Promise<StoredEvent | undefined> =>
  (await findAll([id]))[0];

const moveOpenTasks = (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
): Write | undefined => {
  const [was, is] = [before, after].map((event) => event !== undefined && isOpenTask(event));
  return was === is ? undefined : incrementTotal('pending-tasks', is ? 1 : -1);
};

/**
 * Brings an event from `before`, as it was seen, to `after` (`undefined`: there is none), with its places, its next
 * reminder, the total of open tasks and the audit, all or nothing. Says whether it did: it doesn't where the event is
 * another by now, or its next reminder.
 */
export const write = async (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
  audit: AuditRecorder,
  alongside: Readonly<Record<string, Write | undefined>> = {},
): Promise<boolean> => {
  const failed = await transact({
    event: writeVersion(keys.event((before ?? after)?.id ?? 0), before, after),
    ...alongside,
    ...indexWrites(before, after),
    reminder: await reminderWrite(before, after),
    total: moveOpenTasks(before, after),
    ...audit.writes(diffForAudit(before, after)),
  });
  return failed === undefined;
};

/** The event as it is after a change of these fields. */
export const next = nextVersion<StoredEvent>;
