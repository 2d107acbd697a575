import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { countSteps } from '../../../../shared/counters/counter.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { transact, type Write } from '../../../../shared/db/transaction.ts';
import { nextVersion, writeVersion } from '../../../../shared/db/versioned-record.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { filterByExistingOwner } from '../../../../shared/users/person.ts';
import { diffForAudit } from './audit.ts';
import { markChanged } from './changes.ts';
import { getCounts } from './counters.ts';
import { parseEvent, type StoredEvent } from './event.ts';
import { indexWrites } from './index-entries.ts';
import { eventKeys } from './keys.ts';
import { reminderWrite } from './reminder-schedule.ts';

/**
 * Retries an operation that returns `undefined` on a concurrent write.
 * @throws AppError SERVICE_UNAVAILABLE after the last attempt
 */
export const retryOnConflict = createRetry('The event is being modified. Try again.');

/** Finds events by id with a consistent read; `undefined` for unknown ones. */
export const findAll = async (ids: readonly number[]): Promise<(StoredEvent | undefined)[]> =>
  (await batchGet(ids.map((id) => eventKeys.record.at({ id })))).map(parseEvent);

/**
 * Finds the events whose owners exist. Events of a deleted owner stay hidden until a job deletes or transfers them. The
 * user `userId`, if any, is known to exist.
 */
export const findReadable = async (
  userId: number | undefined,
  ids: readonly number[],
): Promise<StoredEvent[]> => {
  const events = (await findAll(ids)).filter((event) => event !== undefined);
  return filterByExistingOwner(events, userId);
};

/** Finds an event by id with a consistent read. */
export const find = async (id: number): Promise<StoredEvent | undefined> =>
  (await findAll([id]))[0];

/**
 * Creates, updates or deletes an event (`undefined`: it doesn't exist) with its index entries, next reminder, the total of
 * open tasks, the marks of calendars, the audit and a notification in one transaction. The calendar of the user `removed` is
 * not marked. Returns false on a concurrent write.
 */
export const write = async (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
  recorder: ChangeRecorder,
  notification?: Write,
  removed?: number,
): Promise<boolean> => {
  const key = eventKeys.record.at({ id: (before ?? after)?.id ?? 0 });
  const entries = indexWrites(before, after);
  const refused = await transact([
    { write: writeVersion(key, before, after), refused: 'changed' },
    notification,
    ...entries,
    ...markChanged(before, after, entries, removed),
    { write: await reminderWrite(before, after), refused: 'changed' },
    ...countSteps(getCounts(before), getCounts(after)),
    ...recorder.steps(diffForAudit(before, after)),
  ]);
  return refused === undefined;
};

/** Returns the next version of an event with changed fields. */
export const next = nextVersion<StoredEvent>;
