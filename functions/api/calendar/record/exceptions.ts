import { isTimeZone } from '../../../../shared/runtime/settings.ts';
import { type Recurrence, startOnWall, type Tick } from '../recurrence/recurrence.ts';
import { dayMs, instantOf, type WallTime, wallTimeAt } from '../recurrence/time.ts';
import { durationOf, type Override, type Schedule, tickOf, timeOf } from './event.ts';

/*
 * The exceptions of a recurring event are addressed by starts of its rule (decisions.md#calendar). Where the event moves, they move along by what
 * clocks show: a meeting that was cancelled for 7 December at nine and is an hour later now is cancelled for that day at
 * ten, also where clocks were put back in between.
 */

/** What becomes of a recurring event, apart from its exceptions. */
export interface MovedSeries {
  readonly allDay: boolean;
  readonly timezone: string;
  /** The start as it was asked for; the first one of the rule may be later. */
  readonly start: Tick;
  readonly durationMs: number;
  readonly recurrence: Recurrence;
}

/** How many exceptions were removed, because they are no occurrences of what an event has become. */
export interface RemovedExceptions {
  readonly cancelled: number;
  readonly changed: number;
}

export const noneRemoved: RemovedExceptions = { cancelled: 0, changed: 0 };

type Exceptions = Pick<Schedule, 'exdates' | 'overrides'>;
type Clock = Pick<Schedule, 'allDay' | 'timezone'>;

const wallOf = ({ allDay, timezone }: Clock, tick: Tick): WallTime =>
  allDay ? tick : wallTimeAt(tick, timezone);

const dayOf = (wall: WallTime): WallTime => Math.floor(wall / dayMs) * dayMs;

/**
 * How far a series moves by what clocks show, in ms. Where its rule does not begin at the start that was asked for, the
 * rule holds on to its days: then that is the time of day alone.
 */
const shiftOf = (before: Schedule, after: MovedSeries): number => {
  const from = wallOf(before, tickOf(before, before.start));
  const to = wallOf(after, after.start);
  const days = after.start === after.recurrence.start ? dayOf(to) - dayOf(from) : 0;
  return after.allDay ? days : days + (to - dayOf(to)) - (from - dayOf(from));
};

/** What takes times of a schedule to those of what it becomes. */
const moverOf = (before: Schedule, after: MovedSeries) => {
  const shift = shiftOf(before, after);
  const isStill =
    shift === 0 && before.allDay === after.allDay && before.timezone === after.timezone;
  const wallAfter = (time: string): WallTime => {
    const wall = wallOf(before, tickOf(before, time));
    return (after.allDay ? dayOf(wall) : wall) + shift;
  };
  return {
    startByRule: (time: string) => startOnWall(after.recurrence, wallAfter(time)),
    tick: (time: string): Tick => {
      // One that clocks show twice stays the one it is.
      if (isStill) return tickOf(before, time);
      return after.allDay ? wallAfter(time) : instantOf(wallAfter(time), after.timezone);
    },
  };
};

/** How long an occurrence takes that differs; what took as long as all others still does. */
const lengthOf = (before: Schedule, { start, end }: Override, after: MovedSeries): number => {
  const own = tickOf(before, end) - tickOf(before, start);
  if (own === durationOf(before)) return after.durationMs;
  return after.allDay ? Math.max(1, Math.ceil(own / dayMs)) * dayMs : own;
};

/** The exceptions of a recurring event where it has moved: those that are occurrences there, by their new starts. */
export const moveExceptions = (before: Schedule, after: MovedSeries): Exceptions => {
  // By a zone that can not be understood any more nothing is known of where they were.
  if (!isTimeZone(before.timezone)) return { exdates: [], overrides: [] };
  const move = moverOf(before, after);
  const exdates = new Set<string>();
  for (const time of before.exdates) {
    const tick = move.startByRule(time);
    if (tick !== undefined) exdates.add(timeOf(after, tick));
  }
  // Two times of a day are one occurrence where the event has become all-day.
  const overrides = new Map<Tick, Override>();
  for (const override of before.overrides) {
    const tick = move.startByRule(override.recurrenceId);
    if (tick === undefined) continue;
    const isInPlace = override.start === override.recurrenceId;
    const start = isInPlace ? tick : move.tick(override.start);
    overrides.set(tick, {
      ...override,
      recurrenceId: timeOf(after, tick),
      start: timeOf(after, start),
      end: timeOf(after, start + lengthOf(before, override, after)),
    });
  }
  return { exdates: [...exdates].sort(), overrides: [...overrides.values()] };
};

/** Says that an event was changed, and how many of its exceptions are no more. */
export const updateMessage = ({ cancelled, changed }: RemovedExceptions): string => {
  const kinds = [
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
  ];
  if (kinds.length === 0) return 'Saved';
  const [noun, no, were] =
    cancelled + changed === 1
      ? ['occurrence', 'no longer exists', 'was removed']
      : ['occurrences', 'no longer exist', 'were removed'];
  return `Event updated. ${kinds.join(' and ')} ${noun} ${no} and ${were}.`;
};
