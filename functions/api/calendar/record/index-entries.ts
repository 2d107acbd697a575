import { type Key, keys } from '../../../../shared/db/table.ts';
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

/*
 * Where events stand. Each has one place in the calendar of its owner and of every attendee. What happens once stands by
 * its start, in one of three rows by how long it takes at most: what reaches into a window started no longer before it than
 * that, so a window reads each row from there on, and nothing older. What recurs stands by when it is over for good, so that
 * a window reads none that was over before it.
 */

/** How long what stands in a row takes at most, in ms; a day has 25 hours where clocks are put back. */
export const rows = { DAY: 25 * hourMs, MONTH: 31 * dayMs, YEAR: 366 * dayMs } as const;

export type Row = keyof typeof rows;

/** An item that leads to an event, from the calendar of one who sees it. */
export interface Place extends Key {
  readonly id: number;
  readonly ownerId: number;
  /** Those invited, where the owner's calendar leads to it: they are read along with the event. */
  readonly attendeeIds?: readonly number[];
  /** The tick it begins with, where it stands by another. */
  readonly first?: SortableTime;
  /** The tick at which it is over, of what happens once. */
  readonly over?: SortableTime;
}

/** A tick as it stands in a key. */
export const toKeyPart = (tick: SortableTime): string => new Date(tick).toISOString();

/** What stands behind every tick in a key. */
export const forever = 'forever';

const getDurationBucket = (event: StoredEvent): Row => {
  const duration = getDuration(event);
  if (duration <= rows.DAY) return 'DAY';
  return duration <= rows.MONTH ? 'MONTH' : 'YEAR';
};

const toEntry = (event: StoredEvent, userId: number): Place => {
  const { id, ownerId, rrule, attendees } = event;
  const { first, over } = getEventSpan(event);
  // In all calendars, one more who is invited would be a write for each who is already.
  const isNaming = userId === ownerId && attendees.length > 0;
  const attendeeIds = attendees.map((attendee) => attendee.id);
  const named = { id, ownerId, ...(isNaming && { attendeeIds }) };
  if (rrule === undefined) {
    const key = keys.singleEvent(userId, getDurationBucket(event), toKeyPart(first), id);
    return { ...key, ...named, ...(over !== undefined && { over }) };
  }
  const overAt = over === undefined ? forever : toKeyPart(over);
  return { ...keys.recurringEvent(userId, overAt, id), ...named, first };
};

const listEntries = (event: StoredEvent): Place[] => {
  const { id, ownerId, attendees } = event;
  const userIds = [ownerId, ...attendees.map((attendee) => attendee.id)];
  const due = toKeyPart(toSortableTime(event, event.end));
  return [
    ...userIds.map((userId) => toEntry(event, userId)),
    ...(isOpenTask(event) ? [{ ...keys.openTask(ownerId, due, id), id, ownerId }] : []),
  ];
};

/**
 * The writes that bring an event's places from `before` to `after`, for the transaction that makes, changes or removes the
 * event: none for what stays as it is.
 */
export const indexWrites = (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
): Readonly<Record<string, Write>> =>
  diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []);
