import { itemParser } from '../../../../shared/db/item-parser.ts';
import type { Key } from '../../../../shared/db/key.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { diffIndexEntries } from '../../../../shared/lists/index-entries.ts';
import type { SortableTime } from '../recurrence/recurrence.ts';
import { dayMs, hourMs } from '../recurrence/time.ts';
import {
  getDuration,
  getEventSpan,
  isOpenTask,
  type StoredEvent,
  toSortableTime,
} from './event.ts';
import { eventKeys } from './keys.ts';

/*
 * Each event has one index entry in the calendar of its owner and of every attendee. Single events are sorted by start in
 * three buckets by maximum duration. An event that reaches into a window started at most that long before it, so a query
 * reads nothing older. Recurring events are sorted by their final end, so a query reads none that ended before its window.
 */

/** The maximum duration per bucket, in ms. A day can have 25 hours when clocks go back. */
export const durationBuckets = { DAY: 25 * hourMs, MONTH: 31 * dayMs, YEAR: 366 * dayMs } as const;

export type DurationBucket = keyof typeof durationBuckets;

/** An item in a user's calendar that refers to an event. */
export interface EventIndexEntry extends Key {
  readonly id: number;
  readonly ownerId: number;
  /** In the owner's calendar, the attendees, so that they can be read together with the event. */
  readonly attendeeIds?: readonly number[];
  /** The first start of a recurring event. */
  readonly first?: SortableTime;
  /** The end of a single event. */
  readonly over?: SortableTime;
}

/** Parses an index entry of an event. */
export const parseEntry = itemParser<EventIndexEntry>('calendar entry', ['id', 'ownerId']);

/** Formats a time for a sort key. */
export const toSortKeyTime = (time: SortableTime): string => new Date(time).toISOString();

/** Sorts after every time in a key. */
export const forever = 'forever';

const getDurationBucket = (event: StoredEvent): DurationBucket => {
  const duration = getDuration(event);
  if (duration <= durationBuckets.DAY) return 'DAY';
  return duration <= durationBuckets.MONTH ? 'MONTH' : 'YEAR';
};

const toEntry = (event: StoredEvent, userId: number): EventIndexEntry => {
  const { id, ownerId, rrule, attendees } = event;
  const { first, over } = getEventSpan(event);
  // Only in the owner's calendar: elsewhere each new attendee would rewrite all entries.
  const hasAttendeeIds = userId === ownerId && attendees.length > 0;
  const attendeeIds = attendees.map((attendee) => attendee.id);
  const fields = { id, ownerId, ...(hasAttendeeIds && { attendeeIds }) };
  if (rrule === undefined) {
    const key = eventKeys.single.at({
      userId,
      lasting: getDurationBucket(event),
      start: toSortKeyTime(first),
      id,
    });
    return { ...key, ...fields, ...(over !== undefined && { over }) };
  }
  const overAt = over === undefined ? forever : toSortKeyTime(over);
  return { ...eventKeys.recurring.at({ userId, overAt, id }), ...fields, first };
};

const listEntries = (event: StoredEvent): EventIndexEntry[] => {
  const { id, ownerId, attendees } = event;
  const userIds = [ownerId, ...attendees.map((attendee) => attendee.id)];
  const due = toSortKeyTime(toSortableTime(event, event.end));
  return [
    ...userIds.map((userId) => toEntry(event, userId)),
    ...(isOpenTask(event)
      ? [{ ...eventKeys.openTask.at({ userId: ownerId, dueAt: due, id }), id, ownerId }]
      : []),
  ];
};

/** Returns the writes that update an event's index entries, for the transaction of the change. */
export const indexWrites = (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
): readonly Write[] =>
  diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []);
