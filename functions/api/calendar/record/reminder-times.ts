import { type Recurrence, type Tick, walk } from '../recurrence/recurrence.ts';
import { dateAt, dayMs, startOfDate, wallOfDate } from '../recurrence/time.ts';
import { durationOf, type Schedule, type StoredEvent, tickOf, timeOf } from './event.ts';
import { recurrenceIn } from './schedule.ts';

/** A reminder of one time that an event takes place, by which it is known in a job. */
export interface Reminding {
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
export const instantOfTick = (schedule: Schedule, tick: Tick): number =>
  schedule.allDay ? startOfDate(timeOf(schedule, tick), schedule.timezone) : tick;

/** The tick before which nothing is as late as an instant. */
const tickFrom = (schedule: Schedule, instant: number): Tick =>
  schedule.allDay ? wallOfDate(dateAt(instant, schedule.timezone)) : instant;

/** A start that was found, or up to where there is none. */
interface Found {
  readonly start: Tick;
  readonly isKnown: boolean;
}

const firstWithin = (
  recurrence: Recurrence,
  from: Tick,
  to: Tick,
  isWanted: (start: Tick) => boolean,
): Found | undefined => {
  const walker = walk(recurrence, from, to);
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
  from: Tick,
  isWanted: (start: Tick) => boolean,
): Found | undefined => {
  const near = from + nearMs[recurrence.rule.frequency];
  const found = firstWithin(recurrence, from, near, isWanted);
  if (!found || found.isKnown) return found;
  return firstWithin(recurrence, from, from + horizonMs, isWanted);
};

/** A time at which to look at an event, with the reminder that is due then, if one is. */
interface Candidate {
  readonly at: number;
  readonly reminding?: Reminding;
}

/** The first reminders from an instant on, of the rule, of each occurrence that differs, and of what happens once. */
const candidates = (event: StoredEvent, minutes: number, from: number): Candidate[] => {
  const earliest = from + minutes * minuteMs;
  const isLater = (tick: Tick) => instantOfTick(event, tick) >= earliest;
  const at = (tick: Tick) => instantOfTick(event, tick) - minutes * minuteMs;
  const recurrence = recurrenceIn(event);
  if (!recurrence) {
    const start = tickOf(event, event.start);
    return isLater(start) ? [{ at: at(start), reminding: { start: event.start, minutes } }] : [];
  }
  const differing = event.overrides.filter(
    ({ recurrenceId }) => !event.exdates.includes(recurrenceId),
  );
  const except = new Set([...event.exdates, ...differing.map(({ recurrenceId }) => recurrenceId)]);
  const found = firstStart(
    recurrence,
    tickFrom(event, earliest),
    (start) => isLater(start) && !except.has(timeOf(event, start)),
  );
  const start = found && timeOf(event, found.start);
  return [
    ...differing
      .map((override) => ({ override, tick: tickOf(event, override.start) }))
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
): { readonly at: number; readonly due: readonly Reminding[] } | undefined => {
  const all = event.reminders.flatMap((minutes) => candidates(event, minutes, from));
  if (all.length === 0) return undefined;
  const at = Math.min(...all.map((one) => one.at));
  const due = all.flatMap((one) => (one.at === at && one.reminding ? [one.reminding] : []));
  return { at, due };
};

const statusOf = (event: StoredEvent, { recurrenceId }: Reminding): StoredEvent['status'] =>
  event.overrides.find((override) => override.recurrenceId === recurrenceId)?.status ??
  event.status;

/** When the occurrence is over that a reminder is of, as a tick. */
export const endOf = (event: StoredEvent, { start, recurrenceId }: Reminding): Tick => {
  const override = event.overrides.find((one) => one.recurrenceId === recurrenceId);
  return override ? tickOf(event, override.end) : tickOf(event, start) + durationOf(event);
};

/** Is it too late for a reminder, as what it is of is over or done? */
export const isPointless = (event: StoredEvent, reminding: Reminding, now: number): boolean => {
  const start = instantOfTick(event, tickOf(event, reminding.start));
  const over = Math.max(instantOfTick(event, endOf(event, reminding)), start + shortestMs);
  return over <= now || statusOf(event, reminding) === 'done';
};

/**
 * The reminders of an event that are due from one instant to another, and when to look at it next. One that is late is
 * among them as long as what it is of is not over; of several of one occurrence, the last.
 */
export const remindersDue = (
  event: StoredEvent,
  from: number,
  now: number,
): { readonly due: readonly Reminding[]; readonly next: number | undefined } => {
  const due = new Map<string, Reminding>();
  let at = from;
  for (let turn = 0; turn < maxTurns; turn++) {
    const found = nextReminders(event, at);
    if (!found || found.at > now) return { due: [...due.values()], next: found?.at };
    for (const one of found.due) {
      if (!isPointless(event, one, now)) due.set(one.recurrenceId ?? '', one);
    }
    at = found.at + 1;
  }
  return { due: [...due.values()], next: at };
};
