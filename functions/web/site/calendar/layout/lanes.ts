import type { Span } from './spans.ts';

/** An event and the days that it takes. */
export interface Placed<Event> extends Span {
  readonly event: Event;
}

/**
 * Places events in the lanes of a row of days, so that each has the same lane on all of its days. Returns the lanes by day;
 * a lane without event is `undefined`.
 */
export const placeInLanes = <Event>(
  placed: readonly Placed<Event>[],
  days: readonly string[],
): ReadonlyMap<string, readonly (Placed<Event> | undefined)[]> => {
  const lanes = new Map(days.map((day) => [day, [] as (Placed<Event> | undefined)[]]));
  const length = ({ first, last }: Span) => Date.parse(last) - Date.parse(first);
  const ordered = placed.toSorted(
    (one, other) => one.first.localeCompare(other.first) || length(other) - length(one),
  );
  for (const one of ordered) {
    const own = days.filter((day) => day >= one.first && day <= one.last);
    let lane = 0;
    while (own.some((day) => lanes.get(day)?.[lane] !== undefined)) lane++;
    for (const day of own) {
      const ofDay = lanes.get(day) ?? [];
      while (ofDay.length < lane) ofDay.push(undefined);
      ofDay[lane] = one;
    }
  }
  return lanes;
};
