import { parseRule, type Rule } from './rule.ts';
import { periodsOf } from './rule-starts.ts';
import { hourMs, instantOf, type WallTime, wallTimeAt } from './time.ts';

/*
 * A rule is expanded on what the clock on the wall shows, as if that were UTC: there every day has 24 hours, which makes it
 * quick and the same for all zones and for all-day events. Each start is then looked up in the event's time zone; one that
 * clocks skip is no occurrence (RFC 5545 §3.3.10). COUNT is turned into the last start when an event is stored, so that a
 * window far behind the first start costs as much as one beside it.
 */

/** A moment as a calendar orders events: of a timed one the instant, of an all-day one its date as if in UTC (ms since 1970). */
export type Tick = number;

/** What recurs: from when on, by which rule, until when. */
export interface Recurrence {
  readonly start: Tick;
  /** An IANA time zone; `undefined` for all-day events, which have none. */
  readonly zone: string | undefined;
  readonly rule: Rule;
  /** No occurrence starts later; `undefined` where it goes on for ever, which is to `endOfTime`. */
  readonly lastStart: Tick | undefined;
}

/** Nothing recurs later: whatever takes a year from then on is over in a year of four digits, as keys and times have. */
export const endOfTime: Tick = Date.UTC(9998, 11, 30);

/** How much work may still be done, in steps of some microseconds: they are counted, so that it is the same each time. */
export interface Steps {
  left: number;
}

/** So much work is one look at the calendar, or at one rule that is stored: some 20 to 50 ms. */
export const newSteps = (): Steps => ({ left: 20_000 });

/** A day that is looked at is one step, so is a period without any; a start that is found and looked up takes more. */
const perStart = 3;

/** A stretch is over with so many starts, or with so much work and what its last period takes beyond that. */
const startsAtOnce = 8;
const stepsAtOnce = 200;

/** Clocks have been put forward by a day at most. */
const marginMs = 26 * hourMs;

/** The recurrence of a rule that is stored. */
export const recurrenceOf = (
  text: string,
  start: Tick,
  zone: string | undefined,
  lastStart: Tick | undefined,
): Recurrence => ({ start, zone, rule: parseRule(text, zone === undefined), lastStart });

/** Finds the starts of occurrences one stretch of time after the other. */
export interface Walker {
  /** Those found and not yet taken, in their order. */
  readonly found: Tick[];
  /** No start before this is missing. */
  readonly knownTo: () => Tick;
  /** Are all found that there are up to the end of the walk? */
  readonly isOver: () => boolean;
  /** Looks at one more stretch. */
  readonly walkOn: (steps: Steps) => void;
}

const nothingMore: Walker = {
  found: [],
  knownTo: () => Number.POSITIVE_INFINITY,
  isOver: () => true,
  walkOn: () => undefined,
};

const lastOf = ({ lastStart = endOfTime }: Recurrence): Tick => Math.min(lastStart, endOfTime);

/** What clocks show of a recurrence, and when they show it. */
const clockOf = ({ start, zone }: Recurrence) => {
  const wallOf = (tick: Tick): WallTime => (zone === undefined ? tick : wallTimeAt(tick, zone));
  const tickOf = (wall: WallTime): Tick => (zone === undefined ? wall : instantOf(wall, zone));
  const firstWall = wallOf(start);
  return {
    firstWall,
    wallOf,
    tickOf,
    /** The tick of a start; `undefined` where clocks skip it. */
    startAt: (wall: WallTime): Tick | undefined => {
      // The first start may be the second time that clocks show it.
      if (wall === firstWall) return start;
      const tick = tickOf(wall);
      return wallOf(tick) === wall ? tick : undefined;
    },
  };
};

/** Walks over the occurrences that start from one tick on, before another. */
export const walk = (recurrence: Recurrence, from: Tick, to: Tick): Walker => {
  const { start, zone, rule } = recurrence;
  const first = Math.max(from, start);
  const end = Math.min(to, lastOf(recurrence) + 1);
  if (first >= end) return nothingMore;
  const { firstWall, wallOf, tickOf, startAt } = clockOf(recurrence);
  const margin = zone === undefined ? 0 : marginMs;
  const endWall = wallOf(end) + margin;
  const low = Math.max(firstWall, wallOf(first) - margin);
  const nextPeriod = periodsOf(rule, firstWall, low);
  const found: Tick[] = [];
  let waiting: WallTime[] = [];
  let [at, over, known] = [low, low, first];

  const lookOn = (): number => {
    const { starts, daysSeen, next } = nextPeriod();
    waiting = starts.filter((wall) => wall >= low && wall < endWall).reverse();
    over = next;
    return Math.max(1, daysSeen);
  };
  const take = (wall: WallTime): number => {
    const tick = startAt(wall);
    if (tick !== undefined && tick >= first && tick < end) found.push(tick);
    return perStart;
  };
  const isOver = () => at >= endWall;
  return {
    found,
    knownTo: () => known,
    isOver,
    walkOn: (steps) => {
      const enough = found.length + startsAtOnce;
      let taken = 0;
      while (taken < stepsAtOnce && found.length < enough && !isOver()) {
        const wall = waiting.pop();
        taken += wall === undefined ? lookOn() : take(wall);
        at = waiting.at(-1) ?? over;
      }
      known = isOver() ? Number.POSITIVE_INFINITY : Math.max(first, tickOf(at) - margin);
      steps.left -= taken;
    },
  };
};

/**
 * The first start from a tick on, before another; `undefined` where there is none, or none that the steps suffice to
 * find.
 */
export const firstFrom = (
  recurrence: Recurrence,
  from: Tick,
  to: Tick,
  steps: Steps = newSteps(),
): Tick | undefined => {
  const walker = walk(recurrence, from, to);
  while (walker.found.length === 0 && !walker.isOver() && steps.left > 0) walker.walkOn(steps);
  return walker.found[0];
};

/** Does an occurrence of the rule start at this tick? */
export const startsAt = (recurrence: Recurrence, tick: Tick): boolean => {
  if (tick < recurrence.start || tick > lastOf(recurrence)) return false;
  const { firstWall, wallOf, startAt } = clockOf(recurrence);
  const wall = wallOf(tick);
  const { starts } = periodsOf(recurrence.rule, firstWall, wall)();
  return startAt(wall) === tick && starts.includes(wall);
};

/** The occurrence of the rule that starts when clocks show this; `undefined` where there is none. */
export const startOnWall = (recurrence: Recurrence, wall: WallTime): Tick | undefined => {
  const tick = clockOf(recurrence).startAt(wall);
  return tick !== undefined && startsAt(recurrence, tick) ? tick : undefined;
};

/** The start that has this number, counted from 1; `undefined` where the steps do not suffice to find it. */
export const startNumber = (
  recurrence: Recurrence,
  count: number,
  to: Tick,
  steps: Steps = newSteps(),
): Tick | undefined => {
  const walker = walk(recurrence, recurrence.start, to);
  while (walker.found.length < count && !walker.isOver() && steps.left > 0) walker.walkOn(steps);
  return walker.found[count - 1];
};
