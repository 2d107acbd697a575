import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../../shared/db/table.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import type { StoredEvent } from './event.ts';
import { nextReminders } from './reminder-times.ts';

/*
 * Each event that has a reminder to come has one item that says when: its place in the index is what the minute's sweep
 * finds it by. Whoever changes when the event takes place writes it in the transaction of the change. The sweep moves it on
 * to the next time and leaves the job that reminds people in one transaction, which fails where the event or the item is
 * another by then: so each reminder has one job, whatever runs at the same time.
 */

/** When to look at an event next for its reminders. */
export interface ReminderItem extends Key {
  /** ISO 8601. */
  readonly at: string;
}

const toItem = (id: number, at: string) => {
  const { pk, sk } = keys.eventReminders(at, id);
  return { ...keys.eventReminder(id), id, at, gsi1pk: pk, gsi1sk: sk };
};

/** The write of when to look at an event next, unless it is no longer as it was seen. */
export const moveTo = (id: number, seen: string | undefined, next: number | undefined): Write => {
  const isUnchanged = {
    TableName: tableName(),
    ...(seen === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#at = :seen',
          ExpressionAttributeNames: { '#at': 'at' },
          ExpressionAttributeValues: { ':seen': seen },
        }),
  };
  if (next === undefined) return { Delete: { ...isUnchanged, Key: keys.eventReminder(id) } };
  return { Put: { ...isUnchanged, Item: toItem(id, new Date(next).toISOString()) } };
};

/** What the reminders of an event follow from. */
const getBasis = ({ reminders, exdates, overrides, ...event }: StoredEvent): string => {
  const { allDay, start, timezone, rrule, lastStart } = event;
  const moved = overrides.map((override) => [override.recurrenceId, override.start]);
  return JSON.stringify([allDay, start, timezone, rrule, lastStart, exdates, moved, reminders]);
};

/**
 * The write that plans the reminders of an event that goes from `before` to `after`, for the transaction of the change;
 * none where it leaves them as they are. What is due by now and was not sent yet, since the sweep has its turn each minute,
 * is not lost; what would have been due earlier is over.
 */
export const reminderWrite = async (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
): Promise<Write | undefined> => {
  const had = before !== undefined && before.reminders.length > 0;
  if (!after) return had ? deleteItemWrite(keys.eventReminder(before.id)) : undefined;
  if (!had && after.reminders.length === 0) return undefined;
  if (before && getBasis(before) === getBasis(after)) return undefined;
  const { id } = after;
  const [item] = had ? await batchGet([keys.eventReminder(id)]) : [];
  const seen = (item as unknown as ReminderItem | undefined)?.at;
  const now = Date.now();
  const isWaiting = seen !== undefined && Date.parse(seen) <= now;
  const next = nextReminders(after, isWaiting ? Date.parse(seen) : now + 1)?.at;
  return seen === undefined && next === undefined ? undefined : moveTo(id, seen, next);
};
