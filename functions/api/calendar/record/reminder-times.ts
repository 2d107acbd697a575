import { iterate, type Recurrence, type SortableTime } from '../recurrence/recurrence.ts';
import { dayMs, localTimeFromDate, startOfDate, toDateAt } from '../recurrence/time.ts';
import {
  getDuration,
  type Schedule,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from './event.ts';
import { parseRecurrence } from './schedule.ts';

/** A reminder of one time that an event takes place, by which it is known in a job. */
export interface ReminderInstance {
  /** When that is: a time or, of an all-day event, a date (ISO 8601). */
  readonly start: string;
  /** Of what recurs: when it starts by the rule. */
  readonly recurrenceId?: string | undefined;
  /** How long before. */
  readonly minutes: number;
}

const minuteMs = 60_000;
/** A rule is sought this far ahead; where it has no occurrence by then, it is looked at again. */
const horizonMs = 400 * dayMs;
const stepsOfOne = 4_000;
/** Most rules have one within two of their periods: to look no further at first is several times as fast. */
const nearMs = { DAILY: 2 * dayMs, WEEKLY: 14 * dayMs, MONTHLY: 62 * dayMs, YEARLY: horizonMs };
/** What was missed while nothing ran is caught up with in turns of so many times. */
const maxTurns = 20;
/** What begins and ends at once is worth a reminder for so long. */
const shortestMs = 10 * minuteMs;

/** When a time of an event is, in ms since 1970; an all-day event begins with its day in the event's time zone. */
export const toInstant = (schedule: Schedule, tick: SortableTime): number =>
  schedule.allDay ? startOfDate(toTimeField(schedule, tick), schedule.timezone) : tick;

/** The tick before which nothing is as late as an instant. */
const tickFrom = (schedule: Schedule, instant: number): SortableTime =>
  schedule.allDay ? localTimeFromDate(toDateAt(instant, schedule.timezone)) : instant;

/** A start that was found, or up to where there is none. */
interface Found {
  readonly start: SortableTime;
  readonly isKnown: boolean;
}

const firstWithin = (
  recurrence: Recurrence,
  from: SortableTime,
  to: SortableTime,
  isWanted: (start: SortableTime) => boolean,
): Found | undefined => {
  const walker = iterate(recurrence, from, to);
  const steps = { left: stepsOfOne };
  while (!walker.isOver()) {
    walker.walkOn(steps);
    const start = walker.found.splice(0).find(isWanted);
    if (start !== undefined) return { start, isKnown: true };
    if (steps.left <= 0 && !walker.isOver()) return { start: walker.knownTo(), isKnown: false };
  }
  const { lastStart } = recurrence;
  return lastStart === undefined || lastStart >= to ? { start: to, isKnown: false } : undefined;
};

const firstStart = (
  recurrence: Recurrence,
  from: SortableTime,
  isWanted: (start: SortableTime) => boolean,
): Found | undefined => {
  const near = from + nearMs[recurrence.rule.frequency];
  const found = firstWithin(recurrence, from, near, isWanted);
  if (!found || found.isKnown) return found;
  return firstWithin(recurrence, from, from + horizonMs, isWanted);
};

/** A time at which to look at an event, with the reminder that is due then, if one is. */
interface Candidate {
  readonly at: number;
  readonly reminding?: ReminderInstance;
}

/** The first reminders from an instant on, of the rule, of each occurrence that differs, and of what happens once. */
const candidates = (event: StoredEvent, minutes: number, from: number): Candidate[] => {
  const earliest = from + minutes * minuteMs;
  const isLater = (tick: SortableTime) => toInstant(event, tick) >= earliest;
  const at = (tick: SortableTime) => toInstant(event, tick) - minutes * minuteMs;
  const recurrence = parseRecurrence(event);
  if (!recurrence) {
    const start = toSortableTime(event, event.start);
    return isLater(start) ? [{ at: at(start), reminding: { start: event.start, minutes } }] : [];
  }
  const differing = event.overrides.filter(
    ({ recurrenceId }) => !event.exdates.includes(recurrenceId),
  );
  const except = new Set([...event.exdates, ...differing.map(({ recurrenceId }) => recurrenceId)]);
  const found = firstStart(
    recurrence,
    tickFrom(event, earliest),
    (start) => isLater(start) && !except.has(toTimeField(event, start)),
  );
  const start = found && toTimeField(event, found.start);
  return [
    ...differing
      .map((override) => ({ override, tick: toSortableTime(event, override.start) }))
      .filter(({ tick }) => isLater(tick))
      .map(({ override, tick }) => ({
        at: at(tick),
        reminding: { start: override.start, recurrenceId: override.recurrenceId, minutes },
      })),
    ...(found && start
      ? [
          found.isKnown
            ? { at: at(found.start), reminding: { start, recurrenceId: start, minutes } }
            : { at: at(found.start) },
        ]
      : []),
  ];
};

/**
 * When to look at an event next for its reminders, from an instant on (ms since 1970), and which are due then: none where
 * a rule has no occurrence for so long that it has to be looked at again. `undefined` where there will be none any more.
 */
export const nextReminders = (
  event: StoredEvent,
  from: number,
): { readonly at: number; readonly due: readonly ReminderInstance[] } | undefined => {
  const all = event.reminders.flatMap((minutes) => candidates(event, minutes, from));
  if (all.length === 0) return undefined;
  const at = Math.min(...all.map((one) => one.at));
  const due = all.flatMap((one) => (one.at === at && one.reminding ? [one.reminding] : []));
  return { at, due };
};

const getReminderStatus = (
  event: StoredEvent,
  { recurrenceId }: ReminderInstance,
): StoredEvent['status'] =>
  event.overrides.find((override) => override.recurrenceId === recurrenceId)?.status ??
  event.status;

/** When the occurrence is over that a reminder is of, as a tick. */
export const getEnd = (
  event: StoredEvent,
  { start, recurrenceId }: ReminderInstance,
): SortableTime => {
  const override = event.overrides.find((one) => one.recurrenceId === recurrenceId);
  return override
    ? toSortableTime(event, override.end)
    : toSortableTime(event, start) + getDuration(event);
};

/** Is it too late for a reminder, as what it is of is over or done? */
export const isObsolete = (
  event: StoredEvent,
  reminding: ReminderInstance,
  now: number,
): boolean => {
  const start = toInstant(event, toSortableTime(event, reminding.start));
  const over = Math.max(toInstant(event, getEnd(event, reminding)), start + shortestMs);
  return over <= now || getReminderStatus(event, reminding) === 'done';
};

/**
 * The reminders of an event that are due from one instant to another, and when to look at it next. One that is late is
 * among them as long as what it is of is not over; of several of one occurrence, the last.
 */
export const dueReminders = (
  event: StoredEvent,
  from: number,
  now: number,
): { readonly due: readonly ReminderInstance[]; readonly next: number | undefined } => {
  const due = new Map<string, ReminderInstance>();
  let at = from;
  for (let turn = 0; turn < maxTurns; turn++) {
    const found = nextReminders(event, at);
    if (!found || found.at > now) return { due: [...due.values()], next: found?.at };
    for (const one of found.due) {
      if (!isObsolete(event, one, now)) due.set(one.recurrenceId ?? '', one);
    }
    at = found.at + 1;
  }
  return { due: [...due.values()], next: at };
};
