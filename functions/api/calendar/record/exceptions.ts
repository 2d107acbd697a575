import { isTimeZone } from '../../../../shared/runtime/settings.ts';
import { type Recurrence, type SortableTime, startOnWall } from '../recurrence/recurrence.ts';
import { dayMs, type LocalTime, localToInstant, toLocalTime } from '../recurrence/time.ts';
import { getDuration, type Override, type Schedule, toSortableTime, toTimeField } from './event.ts';

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
  readonly start: SortableTime;
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

const getLocalStart = ({ allDay, timezone }: Clock, tick: SortableTime): LocalTime =>
  allDay ? tick : toLocalTime(tick, timezone);

const toDay = (wall: LocalTime): LocalTime => Math.floor(wall / dayMs) * dayMs;

/**
 * How far a series moves by what clocks show, in ms. Where its rule does not begin at the start that was asked for, the
 * rule holds on to its days: then that is the time of day alone.
 */
const getShift = (before: Schedule, after: MovedSeries): number => {
  const from = getLocalStart(before, toSortableTime(before, before.start));
  const to = getLocalStart(after, after.start);
  const days = after.start === after.recurrence.start ? toDay(to) - toDay(from) : 0;
  return after.allDay ? days : days + (to - toDay(to)) - (from - toDay(from));
};

/** What takes times of a schedule to those of what it becomes. */
const createMover = (before: Schedule, after: MovedSeries) => {
  const shift = getShift(before, after);
  const isStill =
    shift === 0 && before.allDay === after.allDay && before.timezone === after.timezone;
  const wallAfter = (time: string): LocalTime => {
    const wall = getLocalStart(before, toSortableTime(before, time));
    return (after.allDay ? toDay(wall) : wall) + shift;
  };
  return {
    startByRule: (time: string) => startOnWall(after.recurrence, wallAfter(time)),
    tick: (time: string): SortableTime => {
      // One that clocks show twice stays the one it is.
      if (isStill) return toSortableTime(before, time);
      return after.allDay ? wallAfter(time) : localToInstant(wallAfter(time), after.timezone);
    },
  };
};

/** How long an occurrence takes that differs; what took as long as all others still does. */
const getLength = (before: Schedule, { start, end }: Override, after: MovedSeries): number => {
  const own = toSortableTime(before, end) - toSortableTime(before, start);
  if (own === getDuration(before)) return after.durationMs;
  return after.allDay ? Math.max(1, Math.ceil(own / dayMs)) * dayMs : own;
};

/** The exceptions of a recurring event where it has moved: those that are occurrences there, by their new starts. */
export const moveExceptions = (before: Schedule, after: MovedSeries): Exceptions => {
  // By a zone that can not be understood any more nothing is known of where they were.
  if (!isTimeZone(before.timezone)) return { exdates: [], overrides: [] };
  const move = createMover(before, after);
  const exdates = new Set<string>();
  for (const time of before.exdates) {
    const tick = move.startByRule(time);
    if (tick !== undefined) exdates.add(toTimeField(after, tick));
  }
  // Two times of a day are one occurrence where the event has become all-day.
  const overrides = new Map<SortableTime, Override>();
  for (const override of before.overrides) {
    const tick = move.startByRule(override.recurrenceId);
    if (tick === undefined) continue;
    const isInPlace = override.start === override.recurrenceId;
    const start = isInPlace ? tick : move.tick(override.start);
    overrides.set(tick, {
      ...override,
      recurrenceId: toTimeField(after, tick),
      start: toTimeField(after, start),
      end: toTimeField(after, start + getLength(before, override, after)),
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
