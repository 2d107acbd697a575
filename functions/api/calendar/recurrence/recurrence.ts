import { parseRule, type Rule } from './rule.ts';
import { iteratePeriods } from './rule-starts.ts';
import { hourMs, type LocalTime, localToInstant, toLocalTime } from './time.ts';

/*
 * A rule is expanded on what the clock on the wall shows, as if that were UTC: there every day has 24 hours, which makes it
 * quick and the same for all zones and for all-day events. Each start is then looked up in the event's time zone; one that
 * clocks skip is no occurrence (RFC 5545 §3.3.10). COUNT is turned into the last start when an event is stored, so that a
 * window far behind the first start costs as much as one beside it.
 */

/** A moment as a calendar orders events: of a timed one the instant, of an all-day one its date as if in UTC (ms since 1970). */
export type SortableTime = number;

/** What recurs: from when on, by which rule, until when. */
export interface Recurrence {
  readonly start: SortableTime;
  /** An IANA time zone; `undefined` for all-day events, which have none. */
  readonly zone: string | undefined;
  readonly rule: Rule;
  /** No occurrence starts later; `undefined` where it goes on for ever, which is to `endOfTime`. */
  readonly lastStart: SortableTime | undefined;
}

/** Nothing recurs later: whatever takes a year from then on is over in a year of four digits, as keys and times have. */
export const endOfTime: SortableTime = Date.UTC(9998, 11, 30);

/** How much work may still be done, in steps of some microseconds: they are counted, so that it is the same each time. */
export interface WorkBudget {
  left: number;
}

/** So much work is one look at the calendar, or at one rule that is stored: some 20 to 50 ms. */
export const createWorkBudget = (): WorkBudget => ({ left: 20_000 });

/** A day that is looked at is one step, so is a period without any; a start that is found and looked up takes more. */
const perStart = 3;

/** A stretch is over with so many starts, or with so much work and what its last period takes beyond that. */
const startsAtOnce = 8;
const stepsAtOnce = 200;

/** Clocks have been put forward by a day at most. */
const marginMs = 26 * hourMs;

/** The recurrence of a rule that is stored. */
export const createRecurrence = (
  text: string,
  start: SortableTime,
  zone: string | undefined,
  lastStart: SortableTime | undefined,
): Recurrence => ({ start, zone, rule: parseRule(text, zone === undefined), lastStart });

/** Finds the starts of occurrences one stretch of time after the other. */
export interface Walker {
  /** Those found and not yet taken, in their order. */
  readonly found: SortableTime[];
  /** No start before this is missing. */
  readonly knownTo: () => SortableTime;
  /** Are all found that there are up to the end of the walk? */
  readonly isOver: () => boolean;
  /** Looks at one more stretch. */
  readonly walkOn: (steps: WorkBudget) => void;
}

const nothingMore: Walker = {
  found: [],
  knownTo: () => Number.POSITIVE_INFINITY,
  isOver: () => true,
  walkOn: () => undefined,
};

const findLast = ({ lastStart = endOfTime }: Recurrence): SortableTime =>
  Math.min(lastStart, endOfTime);

/** What clocks show of a recurrence, and when they show it. */
const getClock = ({ start, zone }: Recurrence) => {
  const wallOf = (tick: SortableTime): LocalTime =>
    zone === undefined ? tick : toLocalTime(tick, zone);
  const tickOf = (wall: LocalTime): SortableTime =>
    zone === undefined ? wall : localToInstant(wall, zone);
  const firstWall = wallOf(start);
  return {
    firstWall,
    wallOf,
    tickOf,
    /** The tick of a start; `undefined` where clocks skip it. */
    startAt: (wall: LocalTime): SortableTime | undefined => {
      // The first start may be the second time that clocks show it.
      if (wall === firstWall) return start;
      const tick = tickOf(wall);
      return wallOf(tick) === wall ? tick : undefined;
    },
  };
};

/** Walks over the occurrences that start from one tick on, before another. */
export const iterate = (recurrence: Recurrence, from: SortableTime, to: SortableTime): Walker => {
  const { start, zone, rule } = recurrence;
  const first = Math.max(from, start);
  const end = Math.min(to, findLast(recurrence) + 1);
  if (first >= end) return nothingMore;
  const { firstWall, wallOf, tickOf, startAt } = getClock(recurrence);
  const margin = zone === undefined ? 0 : marginMs;
  const endWall = wallOf(end) + margin;
  const low = Math.max(firstWall, wallOf(first) - margin);
  const nextPeriod = iteratePeriods(rule, firstWall, low);
  const found: SortableTime[] = [];
  let waiting: LocalTime[] = [];
  let [at, over, known] = [low, low, first];

  const lookOn = (): number => {
    const { starts, daysSeen, next } = nextPeriod();
    waiting = starts.filter((wall) => wall >= low && wall < endWall).reverse();
    over = next;
    return Math.max(1, daysSeen);
  };
  const take = (wall: LocalTime): number => {
    const tick = startAt(wall);
    if (tick !== undefined && tick >= first && tick < end) found.push(tick);
    return perStart;
  };
  const isExpired = () => at >= endWall;
  return {
    found,
    knownTo: () => known,
    isOver: isExpired,
    walkOn: (steps) => {
      const enough = found.length + startsAtOnce;
      let taken = 0;
      while (taken < stepsAtOnce && found.length < enough && !isExpired()) {
        const wall = waiting.pop();
        taken += wall === undefined ? lookOn() : take(wall);
        at = waiting.at(-1) ?? over;
      }
      known = isExpired() ? Number.POSITIVE_INFINITY : Math.max(first, tickOf(at) - margin);
      steps.left -= taken;
    },
  };
};

/**
 * The first start from a tick on, before another; `undefined` where there is none, or none that the steps suffice to
 * find.
 */
export const findFirstFrom = (
  recurrence: Recurrence,
  from: SortableTime,
  to: SortableTime,
  steps: WorkBudget = createWorkBudget(),
): SortableTime | undefined => {
  const walker = iterate(recurrence, from, to);
  while (walker.found.length === 0 && !walker.isOver() && steps.left > 0) walker.walkOn(steps);
  return walker.found[0];
};

/** Does an occurrence of the rule start at this tick? */
export const isStart = (recurrence: Recurrence, tick: SortableTime): boolean => {
  if (tick < recurrence.start || tick > findLast(recurrence)) return false;
  const { firstWall, wallOf, startAt } = getClock(recurrence);
  const wall = wallOf(tick);
  const { starts } = iteratePeriods(recurrence.rule, firstWall, wall)();
  return startAt(wall) === tick && starts.includes(wall);
};

/** The occurrence of the rule that starts when clocks show this; `undefined` where there is none. */
export const startOnWall = (recurrence: Recurrence, wall: LocalTime): SortableTime | undefined => {
  const tick = getClock(recurrence).startAt(wall);
  return tick !== undefined && isStart(recurrence, tick) ? tick : undefined;
};

/** The start that has this number, counted from 1; `undefined` where the steps do not suffice to find it. */
export const startNumber = (
  recurrence: Recurrence,
  count: number,
  to: SortableTime,
  steps: WorkBudget = createWorkBudget(),
): SortableTime | undefined => {
  const walker = iterate(recurrence, recurrence.start, to);
  while (walker.found.length < count && !walker.isOver() && steps.left > 0) walker.walkOn(steps);
  return walker.found[count - 1];
};
