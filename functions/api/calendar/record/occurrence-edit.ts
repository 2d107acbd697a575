import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { parseTime } from '../recurrence/time.ts';
import {
  findOverride,
  getDuration,
  maxExdates,
  maxOverrides,
  type Occurrence,
  type Override,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from './event.ts';
import { findStart, parseRecurrence, resolveTimes } from './schedule.ts';

/** Changes to one occurrence: absent fields stay, `undefined` resets a field to that of the series. */
export interface OccurrenceEdit {
  readonly start?: string;
  readonly end?: string;
  readonly title?: string | undefined;
  readonly location?: string | undefined;
  readonly status?: Override['status'] | undefined;
}

const tooManyExceptionsError = (max: number, kind: 'modified' | 'canceled') =>
  new AppError('CONFLICT', `An event can have up to ${max} ${kind} occurrences.`);

/** Finds the start according to the rule of the occurrence with this start; `undefined` if unknown or canceled. */
export const getRecurrenceId = (event: StoredEvent, start: string): string | undefined => {
  const recurrence = parseRecurrence(event);
  const given = parseTime(start);
  if (!recurrence || !given) return undefined;
  const tick = findStart(recurrence, given, event.timezone);
  const id = tick === undefined ? undefined : toTimeField(event, tick);
  return id === undefined || event.exdates.includes(id) ? undefined : id;
};

/**
 * Finds the start according to the rule of the occurrence with this start.
 * @throws AppError VALIDATION_ERROR for `occurrenceStart` if it is unknown or canceled
 */
export const requireOccurrence = (event: StoredEvent, start: string): string => {
  const recurrenceId = getRecurrenceId(event, start);
  if (recurrenceId !== undefined) return recurrenceId;
  throw invalidField(
    'occurrenceStart',
    'matches no occurrence of the event; list the events again',
  );
};

const createPlainOverride = (event: StoredEvent, recurrenceId: string): Override => ({
  recurrenceId,
  start: recurrenceId,
  end: toTimeField(event, toSortableTime(event, recurrenceId) + getDuration(event)),
});

/** Returns the occurrence that the rule starts at this time, modified or as the rule has it. */
export const getOverride = (event: StoredEvent, recurrenceId: string): Override =>
  findOverride(event, recurrenceId) ?? createPlainOverride(event, recurrenceId);

/** Returns the occurrence that starts at this time according to the rule. */
export const getOccurrenceAt = (event: StoredEvent, recurrenceId: string): Occurrence => {
  const override = getOverride(event, recurrenceId);
  const [start, end] = [toSortableTime(event, override.start), toSortableTime(event, override.end)];
  return { event, start, end, recurrenceId, override };
};

/** Applies an edit to an occurrence. If only the start changes, the duration stays. */
const applyEdit = (event: StoredEvent, before: Override, edit: OccurrenceEdit): Override => {
  const { start, end, ...fields } = edit;
  const duration = toSortableTime(event, before.end) - toSortableTime(event, before.start);
  const { allDay, timezone } = event;
  const times =
    start === undefined && end === undefined
      ? undefined
      : resolveTimes({ start: start ?? before.start, end, timezone }, allDay);
  const movedEnd = times && (end === undefined ? times.start + duration : times.end);
  const after = {
    ...before,
    ...fields,
    ...(times && {
      start: toTimeField(event, times.start),
      end: toTimeField(event, movedEnd ?? times.end),
    }),
  };
  for (const name of ['title', 'location', 'status'] as const) {
    // A value equal to that of the series is not an override.
    const isInherited = Object.hasOwn(fields, name) && fields[name] === event[name];
    if (after[name] === undefined || isInherited) delete after[name];
  }
  return after as Override;
};

const isPlain = (event: StoredEvent, override: Override): boolean =>
  JSON.stringify(Object.entries(override).sort()) ===
  JSON.stringify(Object.entries(createPlainOverride(event, override.recurrenceId)).sort());

type Exceptions = Pick<StoredEvent, 'exdates' | 'overrides'>;

const cancelOccurrence = (
  { exdates, overrides }: StoredEvent,
  recurrenceId: string,
): Exceptions => {
  if (exdates.length >= maxExdates) throw tooManyExceptionsError(maxExdates, 'canceled');
  return {
    exdates: [...exdates, recurrenceId].sort(),
    overrides: overrides.filter((override) => override.recurrenceId !== recurrenceId),
  };
};

/**
 * Returns the exceptions of an event after an edit of one occurrence, or its cancellation.
 * @throws AppError VALIDATION_ERROR for `start` or `end`; CONFLICT beyond 50 modified or 200 canceled ones per event
 */
export const editOccurrence = (
  event: StoredEvent,
  recurrenceId: string,
  edit: OccurrenceEdit | 'cancel',
): Exceptions => {
  if (edit === 'cancel') return cancelOccurrence(event, recurrenceId);
  const { exdates, overrides } = event;
  const override = applyEdit(event, getOverride(event, recurrenceId), edit);
  const at = overrides.findIndex((one) => one.recurrenceId === recurrenceId);
  if (isPlain(event, override)) return { exdates, overrides: overrides.filter((_, i) => i !== at) };
  if (at >= 0) return { exdates, overrides: overrides.with(at, override) };
  if (overrides.length >= maxOverrides) throw tooManyExceptionsError(maxOverrides, 'modified');
  return { exdates, overrides: [...overrides, override] };
};

/** Reports whether an occurrence has the same times in two versions of an event. */
export const isSameTimeAt = (
  one: StoredEvent,
  other: StoredEvent,
  recurrenceId: string,
): boolean => {
  const [before, after] = [getOverride(one, recurrenceId), getOverride(other, recurrenceId)];
  return before.start === after.start && before.end === after.end;
};

/** Serializes the times of modified and canceled occurrences. Attendees are notified if they change. */
export const serializeExceptionTimes = ({ exdates, overrides }: StoredEvent): string =>
  JSON.stringify([
    exdates,
    overrides.map(({ recurrenceId, start, end }) => [recurrenceId, start, end]),
  ]);
