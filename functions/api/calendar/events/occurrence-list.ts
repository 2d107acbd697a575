import { withAnswersAt } from '../record/answers.ts';
import { readIndexEntries } from '../record/entry-list.ts';
import {
  canView,
  getDuration,
  getEventSpan,
  listExceptions,
  listOverrides,
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
  type StartIterator,
  type WorkBudget,
} from '../recurrence/recurrence.ts';
import { dayMs, startOfDate, toLocalTime } from '../recurrence/time.ts';
import { readWithCurrentNames } from './current-names.ts';

/** A window of instants (ms since 1970). The time zone defines its dates. */
export interface InstantWindow {
  readonly start: number;
  readonly end: number;
  readonly timezone: string;
}

export interface OccurrenceSet {
  readonly occurrences: readonly Occurrence[];
  /** Whether there are more occurrences than returned. */
  readonly isTruncated: boolean;
  /** The start of the next window; `undefined` if it would not be later than this one. */
  readonly nextStart: number | undefined;
  /** The work steps used. */
  readonly steps: number;
}

export const maxOccurrences = 500;

/** Lambda limits responses to 6 MB, including JSON escaping; the rest is for field names. */
const maxBytes = 3.5 * 1024 * 1024;

/** Returns the range for timed events, and for all-day events, whose dates are taken as UTC. */
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

/** Finds occurrences in the order of their starts, step by step. */
interface Source {
  /** Returns a lower bound for the next start; infinite at the end. */
  head(): SortableTime;
  /** Returns the next occurrence; `undefined` if not found yet. */
  next(): Occurrence | undefined;
  /** Moves past the next occurrence. */
  skip(): void;
  advance(steps: WorkBudget): void;
  hasStarted: boolean;
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
    advance: () => undefined,
    hasStarted: true,
  };
};

const seriesSource = (event: StoredEvent, iterator: StartIterator, range: Range): Source => {
  const exceptions = listExceptions(event);
  const duration = getDuration(event);
  const queue: Occurrence[] = [];
  return {
    head: () => queue[0]?.start ?? iterator.knownUntil(),
    next: () => queue[0],
    skip: () => void queue.shift(),
    advance(steps) {
      this.hasStarted = true;
      iterator.advance(steps);
      for (const start of iterator.found.splice(0)) {
        const recurrenceId = toTimeField(event, start);
        if (exceptions.has(recurrenceId) || !isWithin(range, start, start + duration)) continue;
        queue.push({ event, start, end: start + duration, recurrenceId });
      }
    },
    hasStarted: false,
  };
};

const toOccurrences = (event: StoredEvent): Occurrence[] =>
  listOverrides(event).map((override) => ({
    event,
    start: toSortableTime(event, override.start),
    end: toSortableTime(event, override.end),
    recurrenceId: override.recurrenceId,
    override,
  }));

/** Splits an event into its stored occurrences in a range and a source that finds the others. */
const splitEvent = (event: StoredEvent, range: Range) => {
  const recurrence = parseRecurrence(event);
  const single = {
    event,
    start: toSortableTime(event, event.start),
    end: toSortableTime(event, event.end),
  };
  const known = recurrence ? toOccurrences(event) : [single];
  const iterator = recurrence && iterate(recurrence, range.from - getDuration(event), range.to);
  return {
    known: known.filter(({ start, end }) => isWithin(range, start, end)),
    series: iterator && !iterator.isDone() ? [seriesSource(event, iterator, range)] : [],
  };
};

const getSources = (events: readonly StoredEvent[], ranges: ReturnType<typeof getRanges>) => {
  const parts = events.flatMap((event) => {
    const range = event.allDay ? ranges.allDay : ranges.timed;
    return skipInvalid(event, () => splitEvent(event, range)) ?? [];
  });
  return [
    listSource(parts.flatMap(({ known }) => known)),
    ...parts.flatMap(({ series }) => series),
  ];
};

const findEarliest = (sources: readonly Source[]): Source | undefined => {
  let first: Source | undefined;
  for (const source of sources) {
    if (source.head() < (first?.head() ?? Number.POSITIVE_INFINITY)) first = source;
  }
  return first;
};

const getEscapedBytes = (event: StoredEvent): number =>
  Buffer.byteLength(
    JSON.stringify(
      JSON.stringify({ ...withAnswersAt(event, undefined), exdates: [], overrides: [] }),
    ),
  );

/** Takes the earliest occurrences of all sources. Returns where it stopped, if before the end. */
const takeEarliest = (
  sources: readonly Source[],
  steps: WorkBudget,
): { readonly taken: Occurrence[]; readonly stoppedAt: SortableTime | undefined } => {
  const taken: Occurrence[] = [];
  const sizes = new Map<number, number>();
  let bytes = 0;
  for (;;) {
    const source = findEarliest(sources);
    if (!source) return { taken, stoppedAt: undefined };
    const occurrence = source.next();
    const isFull = taken.length === maxOccurrences || bytes > maxBytes;
    if (occurrence && !isFull) {
      source.skip();
      const { event } = occurrence;
      const size = sizes.get(event.id) ?? getEscapedBytes(event);
      sizes.set(event.id, size);
      bytes += size;
      taken.push(occurrence);
    } else if (!occurrence && (steps.left > 0 || !source.hasStarted)) {
      // Each source advances at least once, so that the next window starts later than this one.
      source.advance(steps);
    } else return { taken, stoppedAt: source.head() };
  }
};

/** Sorts occurrences by start; an all-day event comes first on its day. */
const sortByStart = (occurrences: readonly Occurrence[], timezone: string): Occurrence[] =>
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

const getBounds = ({ timed, allDay }: ReturnType<typeof getRanges>): Range => ({
  from: Math.min(timed.from, allDay.from),
  to: Math.max(timed.to, allDay.to),
});

/** Finds the events that may have an occurrence in a window of a user's calendar. */
export const findEvents = (userId: number, window: InstantWindow) => {
  const { from, to } = getBounds(getRanges(window));
  return readIndexEntries(userId, from, to, maxOccurrences + 1);
};

/**
 * Returns the occurrences in a window of a user's calendar, the earliest first. Limited to 500 occurrences, fewer if they
 * are large, and about 20 000 work steps.
 */
export const readOccurrences = async (
  userId: number,
  window: InstantWindow,
  found = findEvents(userId, window),
): Promise<OccurrenceSet> => {
  const { ids, userIds, isWhole } = await found;
  const ranges = getRanges(window);
  const { to } = getBounds(ranges);
  // The event may have changed since its index entry was read.
  const events = (await readWithCurrentNames(userId, ids, userIds)).filter(
    (event) => canView(userId, event) && getEventSpan(event).first < to,
  );
  const steps = createWorkBudget();
  const { left } = steps;
  const { taken, stoppedAt } = takeEarliest(getSources(events, ranges), steps);
  const canContinue = stoppedAt !== undefined && stoppedAt > window.start && stoppedAt < window.end;
  return {
    occurrences: sortByStart(taken, window.timezone),
    isTruncated: stoppedAt !== undefined || !isWhole,
    nextStart: canContinue ? stoppedAt : undefined,
    steps: left - steps.left,
  };
};
