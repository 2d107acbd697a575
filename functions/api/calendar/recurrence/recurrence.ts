import type { Rule } from './rule.ts';
import { iteratePeriods } from './rule-starts.ts';
import { hourMs, type LocalTime, localToInstant, toLocalTime } from './time.ts';

/*
 * Rules are expanded in local time, as if that were UTC: every day has 24 hours there, which is fast and works the same for
 * all time zones and all-day events. Each start is then converted to an instant in the event's time zone. Local times that
 * clocks skip are not occurrences (RFC 5545 §3.3.10). COUNT is resolved to the last start when an event is stored, so that
 * a window long after the first start costs no more than one near it.
 */

/** The sort order of a calendar (ms since 1970): the instant of a timed event, the date in UTC of an all-day event. */
export type SortableTime = number;

/** A recurrence: its first start, rule and last start. */
export interface Recurrence {
  readonly start: SortableTime;
  /** An IANA time zone; `undefined` for all-day events, which have none. */
  readonly zone: string | undefined;
  readonly rule: Rule;
  /** The last possible start; `undefined` if it recurs forever, which means until `endOfTime`. */
  readonly lastStart: SortableTime | undefined;
}

/** The latest start: an event of one year then still ends in a year of four digits, as keys require. */
export const endOfTime: SortableTime = Date.UTC(9998, 11, 30);

/** The remaining work, in steps of a few microseconds. Counting steps instead of time makes results deterministic. */
export interface WorkBudget {
  left: number;
}

/** Creates the budget for one query of the calendar or one stored rule: 20 to 50 ms. */
export const createWorkBudget = (): WorkBudget => ({ left: 20_000 });

/** The cost of a start. Each checked day, and each period without days, costs one step. */
const stepsPerStart = 3;

/** An advance ends after this many starts or steps. */
const startsPerAdvance = 8;
const stepsPerAdvance = 200;

/** Time zones have skipped at most one day. */
const marginMs = 26 * hourMs;

/** Finds the starts of occurrences step by step. */
export interface StartIterator {
  /** The starts found and not yet taken, in order. */
  readonly found: SortableTime[];
  /** Returns the time up to which all starts are found. */
  readonly knownUntil: () => SortableTime;
  /** Whether all starts in the range are found. */
  readonly isDone: () => boolean;
  /** Searches further. */
  readonly advance: (steps: WorkBudget) => void;
}

const emptyIterator: StartIterator = {
  found: [],
  knownUntil: () => Number.POSITIVE_INFINITY,
  isDone: () => true,
  advance: () => undefined,
};

const findLast = ({ lastStart = endOfTime }: Recurrence): SortableTime =>
  Math.min(lastStart, endOfTime);

/** Returns conversions between local and sortable times for a recurrence. */
const getClock = ({ start, zone }: Recurrence) => {
  const toLocal = (time: SortableTime): LocalTime =>
    zone === undefined ? time : toLocalTime(time, zone);
  const toSortable = (local: LocalTime): SortableTime =>
    zone === undefined ? local : localToInstant(local, zone);
  const firstLocal = toLocal(start);
  return {
    firstLocal,
    toLocal,
    toSortable,
    /** Returns the time of a start; `undefined` if clocks skip it. */
    startAt: (local: LocalTime): SortableTime | undefined => {
      // The first start may be the second occurrence of an ambiguous local time.
      if (local === firstLocal) return start;
      const time = toSortable(local);
      return toLocal(time) === local ? time : undefined;
    },
  };
};

/** Iterates over the starts in a range, with an exclusive end. */
export const iterate = (
  recurrence: Recurrence,
  from: SortableTime,
  to: SortableTime,
): StartIterator => {
  const { start, zone, rule } = recurrence;
  const first = Math.max(from, start);
  const end = Math.min(to, findLast(recurrence) + 1);
  if (first >= end) return emptyIterator;
  const { firstLocal, toLocal, toSortable, startAt } = getClock(recurrence);
  const margin = zone === undefined ? 0 : marginMs;
  const endLocal = toLocal(end) + margin;
  const low = Math.max(firstLocal, toLocal(first) - margin);
  const nextPeriod = iteratePeriods(rule, firstLocal, low);
  const found: SortableTime[] = [];
  let waiting: LocalTime[] = [];
  let [at, periodEnd, known] = [low, low, first];

  const nextDays = (): number => {
    const { starts, daysChecked, next } = nextPeriod();
    waiting = starts.filter((local) => local >= low && local < endLocal).reverse();
    periodEnd = next;
    return Math.max(1, daysChecked);
  };
  const take = (local: LocalTime): number => {
    const time = startAt(local);
    if (time !== undefined && time >= first && time < end) found.push(time);
    return stepsPerStart;
  };
  const isExpired = () => at >= endLocal;
  return {
    found,
    knownUntil: () => known,
    isDone: isExpired,
    advance: (steps) => {
      const enough = found.length + startsPerAdvance;
      let taken = 0;
      while (taken < stepsPerAdvance && found.length < enough && !isExpired()) {
        const local = waiting.pop();
        taken += local === undefined ? nextDays() : take(local);
        at = waiting.at(-1) ?? periodEnd;
      }
      known = isExpired() ? Number.POSITIVE_INFINITY : Math.max(first, toSortable(at) - margin);
      steps.left -= taken;
    },
  };
};

/** Reports whether an occurrence of the rule starts at this time. */
export const isStart = (recurrence: Recurrence, time: SortableTime): boolean => {
  if (time < recurrence.start || time > findLast(recurrence)) return false;
  const { firstLocal, toLocal, startAt } = getClock(recurrence);
  const local = toLocal(time);
  const { starts } = iteratePeriods(recurrence.rule, firstLocal, local)();
  return startAt(local) === time && starts.includes(local);
};

/** Finds the occurrence of the rule that starts at a local time. */
export const findStartAtLocalTime = (
  recurrence: Recurrence,
  local: LocalTime,
): SortableTime | undefined => {
  const time = getClock(recurrence).startAt(local);
  return time !== undefined && isStart(recurrence, time) ? time : undefined;
};

/** Finds the nth start in a range, counted from 1; `undefined` if there is none or the budget is used up. */
export const findNthStart = (
  recurrence: Recurrence,
  count: number,
  from: SortableTime,
  to: SortableTime,
  steps: WorkBudget = createWorkBudget(),
): SortableTime | undefined => {
  const iterator = iterate(recurrence, from, to);
  while (iterator.found.length < count && !iterator.isDone() && steps.left > 0)
    iterator.advance(steps);
  return iterator.found[count - 1];
};
