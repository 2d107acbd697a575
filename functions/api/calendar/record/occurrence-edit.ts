import { AppError } from '../../../../shared/runtime/errors.ts';
import { parseTime } from '../recurrence/time.ts';
import {
  getDuration,
  maxOverrides,
  type Occurrence,
  type Override,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from './event.ts';
import { findStart, parseRecurrence, resolveTimes } from './schedule.ts';

/** What of one occurrence is to be another: what is absent stays, what is `undefined` is as with all others again. */
export interface OccurrenceEdit {
  readonly start?: string;
  readonly end?: string;
  readonly title?: string | undefined;
  readonly location?: string | undefined;
  readonly status?: Override['status'] | undefined;
}

export const tooManyExceptionsError = (max: number, what: string) =>
  new AppError('CONFLICT', `At most ${max} occurrences of an event can be ${what}`);

/** When the occurrence that a user names by its start starts by the rule; `undefined` where there is none, or it was cancelled. */
export const getRecurrenceId = (event: StoredEvent, named: string): string | undefined => {
  const recurrence = parseRecurrence(event);
  const given = parseTime(named);
  if (!recurrence || !given) return undefined;
  const tick = findStart(recurrence, given, event.timezone);
  const id = tick === undefined ? undefined : toTimeField(event, tick);
  return id === undefined || event.exdates.includes(id) ? undefined : id;
};

const plainly = (event: StoredEvent, recurrenceId: string): Override => ({
  recurrenceId,
  start: recurrenceId,
  end: toTimeField(event, toSortableTime(event, recurrenceId) + getDuration(event)),
});

const findOverride = (event: StoredEvent, recurrenceId: string): Override =>
  event.overrides.find((one) => one.recurrenceId === recurrenceId) ?? plainly(event, recurrenceId);

/** The occurrence of an event that starts then by the rule. */
export const getOccurrenceAt = (event: StoredEvent, recurrenceId: string): Occurrence => {
  const override = findOverride(event, recurrenceId);
  const [start, end] = [toSortableTime(event, override.start), toSortableTime(event, override.end)];
  return { event, start, end, recurrenceId, override };
};

/** The occurrence with what is to be another; one that is only moved to another start takes as long as before. */
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
  // What is said of all is nothing of its own.
  const own = Object.entries(after).filter(
    ([name, value]) =>
      value !== undefined &&
      (!Object.hasOwn(fields, name) || value !== event[name as 'title' | 'location' | 'status']),
  );
  return Object.fromEntries(own) as unknown as Override;
};

const isPlain = (event: StoredEvent, override: Override): boolean =>
  JSON.stringify(Object.entries(override).sort()) ===
  JSON.stringify(Object.entries(plainly(event, override.recurrenceId)).sort());

/**
 * The occurrences of an event that differ from the others, with what is to be another of one.
 * @throws AppError VALIDATION_ERROR about `start` or `end`; CONFLICT past 50 of an event
 */
export const withOccurrence = (
  event: StoredEvent,
  recurrenceId: string,
  edit: OccurrenceEdit,
): readonly Override[] => {
  const override = applyEdit(event, findOverride(event, recurrenceId), edit);
  const at = event.overrides.findIndex((one) => one.recurrenceId === recurrenceId);
  if (isPlain(event, override)) return event.overrides.filter((_, other) => other !== at);
  if (at >= 0) return event.overrides.with(at, override);
  if (event.overrides.length >= maxOverrides)
    throw tooManyExceptionsError(maxOverrides, 'changed by themselves');
  return [...event.overrides, override];
};

/** When occurrences are that differ or were cancelled: those invited are told where that is another time. */
export const exceptionTimes = ({ exdates, overrides }: StoredEvent): string =>
  JSON.stringify([
    exdates,
    overrides.map(({ recurrenceId, start, end }) => [recurrenceId, start, end]),
  ]);
