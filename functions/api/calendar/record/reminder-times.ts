import { iterate, type Recurrence, type SortableTime } from '../recurrence/recurrence.ts';
import { dayMs, localTimeFromDate, startOfDate, toDateAt } from '../recurrence/time.ts';
import {
  findOverride,
  getDuration,
  listExceptions,
  listOverrides,
  type Schedule,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from './event.ts';
import type { ReminderInstance } from './jobs.ts';
import { parseRecurrence } from './schedule.ts';

const minuteMs = 60_000;
/** How far ahead to search for the next occurrence. If there is none, the event is checked again then. */
const horizonMs = 400 * dayMs;
const maxSteps = 4_000;
/** Searched first: most rules have an occurrence within two periods, which is several times as fast. */
const nearbyMs = { DAILY: 2 * dayMs, WEEKLY: 14 * dayMs, MONTHLY: 62 * dayMs, YEARLY: horizonMs };
/** How many overdue times one run catches up with. */
const maxRounds = 20;
/** How long a reminder of an event without duration stays relevant. */
const minRelevantMs = 10 * minuteMs;

/** Returns the instant (ms since 1970) of a time of an event. An all-day event starts with its day in its time zone. */
const toInstant = (schedule: Schedule, tick: SortableTime): number =>
  schedule.allDay ? startOfDate(toTimeField(schedule, tick), schedule.timezone) : tick;

/** Returns a lower bound for the sortable times from an instant on. */
const toLowerBound = (schedule: Schedule, instant: number): SortableTime =>
  schedule.allDay ? localTimeFromDate(toDateAt(instant, schedule.timezone)) : instant;

/** The start that was found, or (`isKnown` is false) the time up to which there is none. */
interface SearchResult {
  readonly start: SortableTime;
  readonly isKnown: boolean;
}

const findStartWithin = (
  recurrence: Recurrence,
  from: SortableTime,
  to: SortableTime,
  isMatch: (start: SortableTime) => boolean,
): SearchResult | undefined => {
  const iterator = iterate(recurrence, from, to);
  const steps = { left: maxSteps };
  while (!iterator.isDone()) {
    iterator.advance(steps);
    const start = iterator.found.splice(0).find(isMatch);
    if (start !== undefined) return { start, isKnown: true };
    if (steps.left <= 0 && !iterator.isDone())
      return { start: iterator.knownUntil(), isKnown: false };
  }
  const { lastStart } = recurrence;
  return lastStart === undefined || lastStart >= to ? { start: to, isKnown: false } : undefined;
};

const findFirstStart = (
  recurrence: Recurrence,
  from: SortableTime,
  isMatch: (start: SortableTime) => boolean,
): SearchResult | undefined => {
  const nearby = from + nearbyMs[recurrence.rule.frequency];
  const found = findStartWithin(recurrence, from, nearby, isMatch);
  if (!found || found.isKnown) return found;
  return findStartWithin(recurrence, from, from + horizonMs, isMatch);
};

/** A time at which to check an event, with the reminder due then, if any. */
interface Candidate {
  readonly at: number;
  readonly reminder?: ReminderInstance;
}

/** Lists the first reminders from an instant on: of the rule and of each modified occurrence, or of a single event. */
const listCandidates = (event: StoredEvent, minutes: number, from: number): Candidate[] => {
  const earliest = from + minutes * minuteMs;
  const isLater = (tick: SortableTime) => toInstant(event, tick) >= earliest;
  const at = (tick: SortableTime) => toInstant(event, tick) - minutes * minuteMs;
  const recurrence = parseRecurrence(event);
  if (!recurrence) {
    const start = toSortableTime(event, event.start);
    return isLater(start) ? [{ at: at(start), reminder: { start: event.start, minutes } }] : [];
  }
  const exceptions = listExceptions(event);
  const found = findFirstStart(
    recurrence,
    toLowerBound(event, earliest),
    (start) => isLater(start) && !exceptions.has(toTimeField(event, start)),
  );
  const start = found && toTimeField(event, found.start);
  return [
    ...listOverrides(event)
      .map((override) => ({ override, tick: toSortableTime(event, override.start) }))
      .filter(({ tick }) => isLater(tick))
      .map(({ override, tick }) => ({
        at: at(tick),
        reminder: { start: override.start, recurrenceId: override.recurrenceId, minutes },
      })),
    ...(found && start
      ? [
          found.isKnown
            ? { at: at(found.start), reminder: { start, recurrenceId: start, minutes } }
            : { at: at(found.start) },
        ]
      : []),
  ];
};

/**
 * Returns the next time (ms since 1970) to check an event for reminders, and those due then. There are none due if the rule
 * has no occurrence for over a year. Returns `undefined` if no reminder is left.
 */
export const findNextReminders = (
  event: StoredEvent,
  from: number,
): { readonly at: number; readonly due: readonly ReminderInstance[] } | undefined => {
  const all = event.reminders.flatMap((minutes) => listCandidates(event, minutes, from));
  if (all.length === 0) return undefined;
  const at = Math.min(...all.map((candidate) => candidate.at));
  const due = all.flatMap((candidate) =>
    candidate.at === at && candidate.reminder ? [candidate.reminder] : [],
  );
  return { at, due };
};

/** Reports whether the occurrence of a reminder is over or done. */
export const isObsolete = (
  event: StoredEvent,
  reminder: ReminderInstance,
  now: number,
): boolean => {
  const start = toSortableTime(event, reminder.start);
  const override = findOverride(event, reminder.recurrenceId);
  const end = override ? toSortableTime(event, override.end) : start + getDuration(event);
  const over = Math.max(toInstant(event, end), toInstant(event, start) + minRelevantMs);
  return over <= now || (override?.status ?? event.status) === 'done';
};

/**
 * Finds the reminders of an event that are due between two instants, and the next time to check. Includes late reminders
 * unless the occurrence is over; of several for one occurrence, only the last.
 */
export const findDueReminders = (
  event: StoredEvent,
  from: number,
  now: number,
): { readonly due: ReminderInstance[]; readonly next: number | undefined } => {
  const due = new Map<string, ReminderInstance>();
  let at = from;
  for (let round = 0; round < maxRounds; round++) {
    const found = findNextReminders(event, at);
    if (!found || found.at > now) return { due: [...due.values()], next: found?.at };
    for (const one of found.due) {
      if (!isObsolete(event, one, now)) due.set(one.recurrenceId ?? '', one);
    }
    at = found.at + 1;
  }
  return { due: [...due.values()], next: at };
};
