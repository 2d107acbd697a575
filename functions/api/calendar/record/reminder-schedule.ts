import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import type { StoredEvent } from './event.ts';
import { eventKeys } from './keys.ts';
import { findNextReminders } from './reminder-times.ts';

/*
 * Each event with a future reminder has one item with its next time, which the scheduled run finds by the index. A change
 * of the event's time updates the item in the same transaction. The scheduled run moves the item to the next time and
 * enqueues the reminder job in one transaction, which fails if the event or the item has changed. So each reminder has
 * exactly one job.
 */

/** The next time to check an event for reminders. */
export interface ReminderItem extends Key {
  /** ISO 8601. */
  readonly at: string;
}

/** Parses the next time to check an event. */
export const parseReminder = itemParser<ReminderItem>('reminder', ['at']);

const toItem = (id: number, at: string) => {
  const { pk, sk } = eventKeys.reminders.at({ at, id });
  return { ...eventKeys.reminder.at({ id }), id, at, gsi1pk: pk, gsi1sk: sk };
};

/** Returns the write that schedules the next check, on the condition that the item is unchanged. */
export const scheduleWrite = (
  id: number,
  seen: string | undefined,
  next: number | undefined,
): Write => {
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
  if (next === undefined) return { Delete: { ...isUnchanged, Key: eventKeys.reminder.at({ id }) } };
  return { Put: { ...isUnchanged, Item: toItem(id, new Date(next).toISOString()) } };
};

/** Serializes the fields that determine an event's reminders. */
const serializeReminderFields = ({
  reminders,
  exdates,
  overrides,
  ...event
}: StoredEvent): string => {
  const { allDay, start, timezone, rrule, lastStart } = event;
  const moved = overrides.map((override) => [override.recurrenceId, override.start]);
  return JSON.stringify([allDay, start, timezone, rrule, lastStart, exdates, moved, reminders]);
};

/**
 * Returns the write that schedules the reminders after a change of an event, for its transaction; `undefined` if they stay
 * the same. Keeps reminders that are due but not sent yet; drops those that would have been due earlier.
 */
export const reminderWrite = async (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
): Promise<Write | undefined> => {
  const hadReminders = before !== undefined && before.reminders.length > 0;
  if (!after)
    return hadReminders ? deleteItemWrite(eventKeys.reminder.at({ id: before.id })) : undefined;
  if (!hadReminders && after.reminders.length === 0) return undefined;
  if (before && serializeReminderFields(before) === serializeReminderFields(after))
    return undefined;
  const { id } = after;
  const [item] = hadReminders ? await batchGet([eventKeys.reminder.at({ id })]) : [];
  const seen = parseReminder(item)?.at;
  const now = Date.now();
  const isDue = seen !== undefined && Date.parse(seen) <= now;
  const next = findNextReminders(after, isDue ? Date.parse(seen) : now + 1)?.at;
  return seen === undefined && next === undefined ? undefined : scheduleWrite(id, seen, next);
};
