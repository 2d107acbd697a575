import * as Instant from 'temporal-polyfill/fns/Instant';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';
import type { StoredEvent } from './event.ts';
import { type Recurrence, type Tick, walk } from './recurrence.ts';
import { dayMs, instantOf, type WallTime, wallTimeAt } from './time.ts';

/** A moment at which clocks of a time zone are put forward or back: what they show, had they not been, and do show. */
export interface ZoneChange {
  readonly from: WallTime;
  readonly to: WallTime;
}

const maxChanges = 20;
const stepsOfOne = 2_000;

/** The changes of a time zone's clocks from one instant to another (ms since 1970), the first 20. */
export const zoneChanges = (zone: string, from: number, to: number): readonly ZoneChange[] => {
  const changes: ZoneChange[] = [];
  let at = from;
  while (changes.length < maxChanges) {
    const zoned = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(at), zone);
    const next = ZonedDateTime.getTimeZoneTransition(zoned, 'next')?.epochMilliseconds;
    if (next === undefined || next >= to) break;
    changes.push({ from: wallTimeAt(next - 1, zone) + 1, to: wallTimeAt(next, zone) });
    at = next;
  }
  return changes;
};

const hasTimes = ({ rule }: Recurrence): boolean =>
  ['BYHOUR', 'BYMINUTE', 'BYSECOND'].some((part) => rule.parts.has(part));

/** Does the time of day of the first start, which is that of all, come between two wall times? */
const comesBetween = (first: WallTime, low: WallTime, high: WallTime): boolean =>
  low + ((((first - low) % dayMs) + dayMs) % dayMs) < high;

/** The wall times between two at which a rule has a start, as if clocks showed each of them once. */
const wallStarts = (recurrence: Recurrence, low: WallTime, high: WallTime): WallTime[] => {
  const { start, zone } = recurrence;
  if (zone === undefined) return [];
  const first = wallTimeAt(start, zone);
  if (!hasTimes(recurrence) && !comesBetween(first, low, high)) return [];
  const onWall = { ...recurrence, start: first, zone: undefined, lastStart: undefined };
  const walker = walk(onWall, low, high);
  const steps = { left: stepsOfOne };
  while (!walker.isOver() && steps.left > 0) walker.walkOn(steps);
  return walker.found;
};

/** Starts of a rule that programs understand in several ways, because clocks skip them or show them twice. */
export interface UnclearStarts {
  /** Those that clocks skip: they are no occurrences (RFC 5545 §3.3.10), though some programs move them. */
  readonly skipped: readonly WallTime[];
  /** Those that clocks show twice: the wall time, and which moment it is. */
  readonly repeated: readonly { readonly wall: WallTime; readonly tick: Tick }[];
}

/** The unclear starts of an event's rule, of those at these changes of its time zone. */
export const unclearStarts = (
  event: StoredEvent,
  recurrence: Recurrence,
  changes: readonly ZoneChange[],
): UnclearStarts => {
  const { timezone } = event;
  const { start, lastStart = Number.POSITIVE_INFINITY } = recurrence;
  const tickOf = (wall: WallTime) =>
    wall === wallTimeAt(start, timezone) ? start : instantOf(wall, timezone);
  return {
    skipped: changes.flatMap(({ from, to }) => wallStarts(recurrence, from, to)),
    repeated: changes
      .flatMap(({ from, to }) => (to < from ? wallStarts(recurrence, to, from) : []))
      .map((wall) => ({ wall, tick: tickOf(wall) }))
      .filter(({ tick }) => tick <= lastStart),
  };
};
