import * as Instant from 'temporal-polyfill/fns/Instant';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';
import type { StoredEvent } from '../record/event.ts';
import { iterate, type Recurrence, type SortableTime } from '../recurrence/recurrence.ts';
import { dayMs, type LocalTime, localToInstant, toLocalTime } from '../recurrence/time.ts';

/** A moment at which clocks of a time zone are put forward or back: what they show, had they not been, and do show. */
export interface ZoneChange {
  /** In ms since 1970. */
  readonly at: number;
  readonly from: LocalTime;
  readonly to: LocalTime;
}

const maxChanges = 20;
const stepsOfOne = 2_000;
/** So many times of one event are told by their moment at most. */
const maxUnclear = 50;

/** The changes of a time zone's clocks from one instant to another (ms since 1970), the first 20. */
export const listTransitions = (zone: string, from: number, to: number): readonly ZoneChange[] => {
  const changes: ZoneChange[] = [];
  let at = from;
  while (changes.length < maxChanges) {
    const zoned = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(at), zone);
    const next = ZonedDateTime.getTimeZoneTransition(zoned, 'next')?.epochMilliseconds;
    if (next === undefined || next >= to) break;
    changes.push({ at: next, from: toLocalTime(next - 1, zone) + 1, to: toLocalTime(next, zone) });
    at = next;
  }
  return changes;
};

const hasTimes = ({ rule }: Recurrence): boolean =>
  ['BYHOUR', 'BYMINUTE', 'BYSECOND'].some((part) => rule.parts.has(part));

/** Does the time of day of the first start, which is that of all, come between two wall times? */
const isBetween = (first: LocalTime, low: LocalTime, high: LocalTime): boolean =>
  low + ((((first - low) % dayMs) + dayMs) % dayMs) < high;

const listStartsBetween = (
  recurrence: Recurrence,
  from: SortableTime,
  to: SortableTime,
): SortableTime[] => {
  const walker = iterate(recurrence, from, to);
  const steps = { left: stepsOfOne };
  while (!walker.isOver() && steps.left > 0) walker.walkOn(steps);
  return walker.found;
};

/** The wall times between two at which a rule has a start, as if clocks showed each of them once. */
const listLocalStarts = (recurrence: Recurrence, low: LocalTime, high: LocalTime): LocalTime[] => {
  const { start, zone } = recurrence;
  if (zone === undefined) return [];
  const first = toLocalTime(start, zone);
  if (!hasTimes(recurrence) && !isBetween(first, low, high)) return [];
  const onWall = { ...recurrence, start: first, zone: undefined, lastStart: undefined };
  return listStartsBetween(onWall, low, high);
};

/** Starts of a rule that programs understand in several ways, because of changes of the clocks. */
export interface UnclearStarts {
  /** Those that clocks skip: they are no occurrences (RFC 5545 §3.3.10), though some programs move them. */
  readonly skipped: readonly LocalTime[];
  /** Those that clocks show twice, and of what is not over when they change: some programs count on by the clock. */
  readonly told: readonly SortableTime[];
}

/** The unclear starts of an event's rule, of those at these changes of its time zone; each event takes so many ms. */
export const listAmbiguousStarts = (
  { timezone }: StoredEvent,
  recurrence: Recurrence,
  durationMs: number,
  changes: readonly ZoneChange[],
): UnclearStarts => {
  const { start, lastStart = Number.POSITIVE_INFINITY } = recurrence;
  const tickOf = (wall: LocalTime) =>
    wall === toLocalTime(start, timezone) ? start : localToInstant(wall, timezone);
  const repeated = changes
    .flatMap(({ from, to }) => (to < from ? listLocalStarts(recurrence, to, from) : []))
    .map(tickOf)
    .filter((tick) => tick <= lastStart);
  const spanning = changes.flatMap(({ at }) =>
    listStartsBetween(recurrence, at - durationMs + 1, at),
  );
  return {
    skipped: changes.flatMap(({ from, to }) => listLocalStarts(recurrence, from, to)),
    told: [...new Set([...repeated, ...spanning])].slice(0, maxUnclear),
  };
};
