import type { Segment } from './spans.ts';

/** A part of an event beside those at the same time. */
export interface Column<Event> extends Segment<Event> {
  /** From 0. */
  readonly column: number;
  /** How many there are beside each other. */
  readonly columns: number;
}

/** Places the parts of a day beside each other where they overlap, and gives those that do the same width. */
export const placeInColumns = <Event>(
  segments: readonly Segment<Event>[],
): readonly Column<Event>[] => {
  const result: Column<Event>[] = [];
  let group: { segment: Segment<Event>; column: number }[] = [];
  let ends: number[] = [];
  const flush = () => {
    for (const { segment, column } of group) {
      result.push({ ...segment, column, columns: ends.length });
    }
    group = [];
    ends = [];
  };
  const ordered = segments.toSorted((one, other) => one.from - other.from || other.to - one.to);
  for (const segment of ordered) {
    if (ends.every((end) => end <= segment.from)) flush();
    const free = ends.findIndex((end) => end <= segment.from);
    const column = free === -1 ? ends.length : free;
    ends[column] = segment.to;
    group.push({ segment, column });
  }
  flush();
  return result;
};
