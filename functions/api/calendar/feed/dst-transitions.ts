import * as Instant from 'temporal-polyfill/fns/Instant';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';
import type { StoredEvent } from '../record/event.ts';
import { iterate, type Recurrence, type SortableTime } from '../recurrence/recurrence.ts';
import { dayMs, type LocalTime, localToInstant, toLocalTime } from '../recurrence/time.ts';

/** A change of a time zone's offset, with the local times before and after it. */
export interface ClockTransition {
  /** In ms since 1970. */
  readonly at: number;
  readonly from: LocalTime;
  readonly to: LocalTime;
}

const maxChanges = 20;
const maxSteps = 2_000;
/** The most ambiguous starts of one event that are written as separate components. */
const maxAmbiguous = 50;

/** Lists up to 20 offset changes of a time zone between two instants (ms since 1970). */
export const listTransitions = (
  zone: string,
  from: number,
  to: number,
): readonly ClockTransition[] => {
  const changes: ClockTransition[] = [];
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

/** Reports whether the time of day of all starts, that of the first, is between two local times. */
const isBetween = (first: LocalTime, low: LocalTime, high: LocalTime): boolean =>
  low + ((((first - low) % dayMs) + dayMs) % dayMs) < high;

const listStartsBetween = (
  recurrence: Recurrence,
  from: SortableTime,
  to: SortableTime,
): SortableTime[] => {
  const iterator = iterate(recurrence, from, to);
  const steps = { left: maxSteps };
  while (!iterator.isDone() && steps.left > 0) iterator.advance(steps);
  return iterator.found;
};

/** Lists the starts of a rule between two local times, ignoring offset changes. */
const listLocalStarts = (recurrence: Recurrence, low: LocalTime, high: LocalTime): LocalTime[] => {
  const { start, zone } = recurrence;
  if (zone === undefined) return [];
  const first = toLocalTime(start, zone);
  if (!hasTimes(recurrence) && !isBetween(first, low, high)) return [];
  const inLocalTime = { ...recurrence, start: first, zone: undefined, lastStart: undefined };
  return listStartsBetween(inLocalTime, low, high);
};

/** The starts of a rule that calendar apps interpret differently because of offset changes. */
export interface AmbiguousStarts {
  /** Skipped local times. They are not occurrences (RFC 5545 §3.3.10), but some apps move them. */
  readonly skipped: readonly LocalTime[];
  /** Repeated local times, and occurrences during an offset change: some apps keep their local end. */
  readonly separate: readonly SortableTime[];
}

/** Lists the ambiguous starts of an event at offset changes of its time zone. */
export const listAmbiguousStarts = (
  { timezone }: StoredEvent,
  recurrence: Recurrence,
  durationMs: number,
  changes: readonly ClockTransition[],
): AmbiguousStarts => {
  const { start, lastStart = Number.POSITIVE_INFINITY } = recurrence;
  const toSortable = (local: LocalTime) =>
    local === toLocalTime(start, timezone) ? start : localToInstant(local, timezone);
  const repeated = changes
    .flatMap(({ from, to }) => (to < from ? listLocalStarts(recurrence, to, from) : []))
    .map(toSortable)
    .filter((time) => time <= lastStart);
  const spanning = changes.flatMap(({ at }) =>
    listStartsBetween(recurrence, at - durationMs + 1, at),
  );
  return {
    skipped: changes.flatMap(({ from, to }) => listLocalStarts(recurrence, from, to)),
    separate: [...new Set([...repeated, ...spanning])].slice(0, maxAmbiguous),
  };
};
