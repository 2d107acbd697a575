import { isTimeZone } from '../../../../shared/runtime/settings.ts';
import {
  findStartAtLocalTime,
  type Recurrence,
  type SortableTime,
} from '../recurrence/recurrence.ts';
import { dayMs, type LocalTime, localToInstant, toLocalTime } from '../recurrence/time.ts';
import { getDuration, type Override, type Schedule, toSortableTime, toTimeField } from './event.ts';

/*
 * The exceptions of a recurring event are identified by starts of its rule. If the event moves, they move along by local
 * time: if a meeting moves from 9:00 to 10:00, one canceled on 7 December at 9:00 is then canceled on that day at 10:00,
 * even if clocks changed in between.
 */

/** The new schedule of a recurring event, without exceptions. */
export interface MovedSeries {
  readonly allDay: boolean;
  readonly timezone: string;
  /** The requested start; the first occurrence of the rule can be later. */
  readonly start: SortableTime;
  readonly durationMs: number;
  readonly recurrence: Recurrence;
}

/** The number of exceptions removed because they match no occurrence of the new schedule. */
export interface RemovedExceptions {
  readonly cancelled: number;
  readonly changed: number;
}

export const noneRemoved: RemovedExceptions = { cancelled: 0, changed: 0 };

type Exceptions = Pick<Schedule, 'exdates' | 'overrides'>;
type Clock = Pick<Schedule, 'allDay' | 'timezone'>;

const getLocalStart = ({ allDay, timezone }: Clock, time: SortableTime): LocalTime =>
  allDay ? time : toLocalTime(time, timezone);

const toDay = (local: LocalTime): LocalTime => Math.floor(local / dayMs) * dayMs;

/**
 * Returns how far a series moves in local time, in ms. If the rule has no occurrence at the requested start, the days stay
 * and only the time of day moves.
 */
const getShift = (before: Schedule, after: MovedSeries): number => {
  const from = getLocalStart(before, toSortableTime(before, before.start));
  const to = getLocalStart(after, after.start);
  const days = after.start === after.recurrence.start ? toDay(to) - toDay(from) : 0;
  return after.allDay ? days : days + (to - toDay(to)) - (from - toDay(from));
};

/** Creates functions that convert times of the old schedule to the new one (decisions.md#calendar). */
const createMover = (before: Schedule, after: MovedSeries) => {
  const shift = getShift(before, after);
  const isUnmoved =
    shift === 0 && before.allDay === after.allDay && before.timezone === after.timezone;
  const toNewLocal = (time: string): LocalTime => {
    const local = getLocalStart(before, toSortableTime(before, time));
    return (after.allDay ? toDay(local) : local) + shift;
  };
  return {
    toRuleStart: (time: string) => findStartAtLocalTime(after.recurrence, toNewLocal(time)),
    toTime: (time: string): SortableTime => {
      // Keeps ambiguous local times as they are.
      if (isUnmoved) return toSortableTime(before, time);
      return after.allDay ? toNewLocal(time) : localToInstant(toNewLocal(time), after.timezone);
    },
  };
};

/** Returns the duration of a modified occurrence. One with the default duration gets the new default. */
const getLength = (before: Schedule, { start, end }: Override, after: MovedSeries): number => {
  const own = toSortableTime(before, end) - toSortableTime(before, start);
  if (own === getDuration(before)) return after.durationMs;
  return after.allDay ? Math.max(1, Math.ceil(own / dayMs)) * dayMs : own;
};

/** Moves the exceptions of a recurring event along with it. Drops those that match no occurrence. */
export const moveExceptions = (before: Schedule, after: MovedSeries): Exceptions => {
  // Without a known time zone, the old local times are unknown.
  if (!isTimeZone(before.timezone)) return { exdates: [], overrides: [] };
  const move = createMover(before, after);
  const exdates = new Set<string>();
  for (const time of before.exdates) {
    const tick = move.toRuleStart(time);
    if (tick !== undefined) exdates.add(toTimeField(after, tick));
  }
  // If the event became all-day, two times of a day are the same occurrence.
  const overrides = new Map<SortableTime, Override>();
  for (const override of before.overrides) {
    const tick = move.toRuleStart(override.recurrenceId);
    if (tick === undefined) continue;
    const isInPlace = override.start === override.recurrenceId;
    const start = isInPlace ? tick : move.toTime(override.start);
    overrides.set(tick, {
      ...override,
      recurrenceId: toTimeField(after, tick),
      start: toTimeField(after, start),
      end: toTimeField(after, start + getLength(before, override, after)),
    });
  }
  return { exdates: [...exdates].sort(), overrides: [...overrides.values()] };
};

/** Returns the message of an update, with the number of removed exceptions. */
export const updateMessage = ({ cancelled, changed }: RemovedExceptions): string => {
  const kinds = [
    ...(cancelled > 0 ? [`${cancelled} canceled`] : []),
    ...(changed > 0 ? [`${changed} modified`] : []),
  ];
  if (kinds.length === 0) return 'Saved';
  const [noun, no, were] =
    cancelled + changed === 1
      ? ['occurrence', 'no longer exists', 'was removed']
      : ['occurrences', 'no longer exist', 'were removed'];
  return `Event updated. ${kinds.join(' and ')} ${noun} ${no} and ${were}.`;
};
