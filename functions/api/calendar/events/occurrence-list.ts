import { readPlaces } from '../record/entry-list.ts';
import {
  canView,
  getDuration,
  getEventSpan,
  type Occurrence,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from '../record/event.ts';
import { parseRecurrence } from '../record/schedule.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import {
  createWorkBudget,
  iterate,
  type SortableTime,
  type Walker,
  type WorkBudget,
} from '../recurrence/recurrence.ts';
import { dayMs, startOfDate, toLocalTime } from '../recurrence/time.ts';
import { readShown } from './shown.ts';

/** Instants, in ms since 1970, and the zone that tells which dates they are. */
export interface InstantWindow {
  readonly start: number;
  readonly end: number;
  readonly timezone: string;
}

export interface OccurrenceSet {
  readonly occurrences: readonly Occurrence[];
  /** Is there more than is shown? */
  readonly isTruncated: boolean;
  /** From where on there is more; `undefined` where that is no later than the window itself. */
  readonly nextStart: number | undefined;
  /** How many steps of work it took. */
  readonly steps: number;
}

export const maxOccurrences = 500;

/** Of the 6 MB of an answer of Lambda's, which escapes a body that is escaped JSON already; the rest is for field names. */
const maxBytes = 3.5 * 1024 * 1024;

/** The window for timed events, and as dates for all-day events, which have no zone: as if in UTC. */
const getRanges = ({ start, end, timezone }: InstantWindow) => {
  const dayAt = (instant: number): SortableTime =>
    Math.floor(toLocalTime(instant, timezone) / dayMs) * dayMs;
  return {
    timed: { from: start, to: end },
    allDay: { from: dayAt(start), to: dayAt(end - 1) + dayMs },
  };
};

interface Range {
  readonly from: SortableTime;
  readonly to: SortableTime;
}

const isWithin = ({ from, to }: Range, start: SortableTime, end: SortableTime): boolean =>
  start < to && (end > from || start >= from);

/** Occurrences in the order of their starts, found one stretch after the other. */
interface Source {
  /** The start of the next one that is found, or before which there is none; infinite where there is none at all. */
  head(): SortableTime;
  /** The next one; `undefined` where it is not found yet. */
  next(): Occurrence | undefined;
  /** Goes on behind the next one. */
  skip(): void;
  walkOn(steps: WorkBudget): void;
  hasWalked: boolean;
}

const listSource = (occurrences: readonly Occurrence[]): Source => {
  const sorted = [...occurrences].sort((a, b) => a.start - b.start || a.event.id - b.event.id);
  let at = 0;
  return {
    head: () => sorted[at]?.start ?? Number.POSITIVE_INFINITY,
    next: () => sorted[at],
    skip: () => {
      at++;
    },
    walkOn: () => undefined,
    hasWalked: true,
  };
};

const seriesSource = (event: StoredEvent, walker: Walker, range: Range): Source => {
  const except = new Set([
    ...event.exdates,
    ...event.overrides.map(({ recurrenceId }) => recurrenceId),
  ]);
  const duration = getDuration(event);
  const queue: Occurrence[] = [];
  return {
    head: () => queue[0]?.start ?? walker.knownTo(),
    next: () => queue[0],
    skip: () => void queue.shift(),
    walkOn(steps) {
      this.hasWalked = true;
      walker.walkOn(steps);
      for (const start of walker.found.splice(0)) {
        const recurrenceId = toTimeField(event, start);
        if (except.has(recurrenceId) || !isWithin(range, start, start + duration)) continue;
        queue.push({ event, start, end: start + duration, recurrenceId });
      }
    },
    hasWalked: false,
  };
};

const overridden = (event: StoredEvent): Occurrence[] =>
  event.overrides
    .filter(({ recurrenceId }) => !event.exdates.includes(recurrenceId))
    .map((override) => ({
      event,
      start: toSortableTime(event, override.start),
      end: toSortableTime(event, override.end),
      recurrenceId: override.recurrenceId,
      override,
    }));

/** What is known of an event in a range as it is stored, and what finds the rest of it. */
const readEntry = (event: StoredEvent, range: Range) => {
  const recurrence = parseRecurrence(event);
  const single = {
    event,
    start: toSortableTime(event, event.start),
    end: toSortableTime(event, event.end),
  };
  const known = recurrence ? overridden(event) : [single];
  const walker = recurrence && iterate(recurrence, range.from - getDuration(event), range.to);
  return {
    known: known.filter(({ start, end }) => isWithin(range, start, end)),
    series: walker && !walker.isOver() ? [seriesSource(event, walker, range)] : [],
  };
};

const getSources = (events: readonly StoredEvent[], ranges: ReturnType<typeof getRanges>) => {
  const looks = events.flatMap((event) => {
    const range = event.allDay ? ranges.allDay : ranges.timed;
    return skipInvalid(event, () => readEntry(event, range)) ?? [];
  });
  return [
    listSource(looks.flatMap(({ known }) => known)),
    ...looks.flatMap(({ series }) => series),
  ];
};

const earliest = (sources: readonly Source[]): Source | undefined => {
  let first: Source | undefined;
  for (const source of sources) {
    if (source.head() < (first?.head() ?? Number.POSITIVE_INFINITY)) first = source;
  }
  return first;
};

const escapedBytes = (event: StoredEvent): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify({ ...event, exdates: [], overrides: [] })));

/** Takes the earliest occurrences of all sources. Answers where it stopped, if that was before their end. */
const takeEarliest = (
  sources: readonly Source[],
  steps: WorkBudget,
): { readonly taken: Occurrence[]; readonly stoppedAt: SortableTime | undefined } => {
  const taken: Occurrence[] = [];
  const sizes = new Map<number, number>();
  let bytes = 0;
  for (;;) {
    const source = earliest(sources);
    if (!source) return { taken, stoppedAt: undefined };
    const occurrence = source.next();
    const isFull = taken.length === maxOccurrences || bytes > maxBytes;
    if (occurrence && !isFull) {
      source.skip();
      const { event } = occurrence;
      const size = sizes.get(event.id) ?? escapedBytes(event);
      sizes.set(event.id, size);
      bytes += size;
      taken.push(occurrence);
    } else if (!occurrence && (steps.left > 0 || !source.hasWalked)) {
      // Each is looked at once, so that a next window begins behind this one.
      source.walkOn(steps);
    } else return { taken, stoppedAt: source.head() };
  }
};

/** As a person reads a calendar: an all-day event begins with its day, before what else begins then. */
const inOrder = (occurrences: readonly Occurrence[], timezone: string): Occurrence[] =>
  occurrences
    .map((occurrence) => {
      const { event, start } = occurrence;
      const instant = event.allDay ? startOfDate(toTimeField(event, start), timezone) : start;
      return { occurrence, instant };
    })
    .sort(
      (a, b) =>
        a.instant - b.instant ||
        Number(b.occurrence.event.allDay) - Number(a.occurrence.event.allDay) ||
        a.occurrence.event.id - b.occurrence.event.id,
    )
    .map(({ occurrence }) => occurrence);

/**
 * What takes place in a window of a user's calendar, the earliest first: at most 500 occurrences, fewer where they are
 * large, and about 20 000 steps of work beside one look at each rule.
 */
export const readOccurrences = async (
  userId: number,
  window: InstantWindow,
): Promise<OccurrenceSet> => {
  const ranges = getRanges(window);
  const [from, to] = [
    Math.min(ranges.timed.from, ranges.allDay.from),
    Math.max(ranges.timed.to, ranges.allDay.to),
  ];
  const { ids, userIds, isWhole } = await readPlaces(userId, from, to, maxOccurrences + 1);
  // An event may have been changed since its place was read.
  const events = (await readShown(userId, ids, userIds)).filter(
    (event) => canView(userId, event) && getEventSpan(event).first < to,
  );
  const steps = createWorkBudget();
  const { left } = steps;
  const { taken, stoppedAt } = takeEarliest(getSources(events, ranges), steps);
  const goesOn = stoppedAt !== undefined && stoppedAt > window.start && stoppedAt < window.end;
  return {
    occurrences: inOrder(taken, window.timezone),
    isTruncated: stoppedAt !== undefined || !isWhole,
    nextStart: goesOn ? stoppedAt : undefined,
    steps: left - steps.left,
  };
};
