import { indexFamily, keyFamily } from '../../../../shared/db/key.ts';

export const eventKeys = {
  /** Event. */
  record: keyFamily('EVENT#{id:int}', 'EVENT'),
  /** Its next reminder, for the index. */
  reminder: keyFamily('EVENT#{id:int}', 'REMINDER'),
  /** Next reminders of all events. */
  reminders: indexFamily('EVENTS#REMINDERS#{id:shard of 4}', '{at}#{id:id}'),
  /** A user's single events by maximum duration and start. */
  single: keyFamily('CALENDAR#{userId:int}', '{lasting:DAY|MONTH|YEAR}#{start}#{id:id}'),
  /** Recurring events by last end. */
  recurring: keyFamily('CALENDAR#{userId:int}', 'SERIES#{overAt}#{id:id}'),
  /** A user's open tasks by due time. */
  openTask: keyFamily('CALENDAR#{userId:int}#TASKS', '{dueAt}#{id:id}'),
  /** Number of changes of a user's calendar. */
  changes: keyFamily('USER#{userId:int}', 'UPDATES#CALENDAR'),
  /** Address of a user's calendar feed. */
  feed: keyFamily('USER#{userId:int}', 'CALENDAR#FEED'),
} as const;
