import { getAnswer } from '../record/answers.ts';
import {
  type Attendance,
  canView,
  findOverride,
  getDuration,
  listExceptions,
  listOverrides,
  type Override,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from '../record/event.ts';
import { getOverride } from '../record/occurrence-edit.ts';
import { parseRecurrence } from '../record/schedule.ts';
import type { SortableTime } from '../recurrence/recurrence.ts';
import { formatRule } from '../recurrence/rule.ts';
import { type LocalTime, toLocalTime } from '../recurrence/time.ts';
import { escapeText, formatComponent } from './content-lines.ts';
import { type ClockTransition, listAmbiguousStarts } from './dst-transitions.ts';
import type { ZoneLines } from './time-zone-lines.ts';

/** The user and host of a feed, and lookups of its time zones. */
export interface FeedContext {
  readonly userId: number;
  /** Makes event ids globally unique. */
  readonly host: string;
  zone(name: string): ZoneLines;
  changes(name: string): readonly ClockTransition[];
}

const compact = (time: string): string => time.slice(0, 19).replaceAll(/[-:]/g, '');

const utc = (time: SortableTime): string => `${compact(new Date(time).toISOString())}Z`;

const date = (time: SortableTime): string => compact(new Date(time).toISOString().slice(0, 10));

const toLocalText = (local: LocalTime): string => compact(new Date(local).toISOString());

/** Formats a property with a UTC time, or a date for an all-day event. */
const formatUtcTime = ({ allDay }: StoredEvent, name: string, time: SortableTime): string =>
  allDay ? `${name};VALUE=DATE:${date(time)}` : `${name}:${utc(time)}`;

/** Formats a property with local times, in which rules recur. */
const formatLocalTime = (
  event: StoredEvent,
  context: FeedContext,
  name: string,
  times: readonly SortableTime[],
): string => {
  if (event.allDay) return `${name};VALUE=DATE:${times.map(date).join(',')}`;
  const localTimes = times.map((time) => toLocalTime(time, event.timezone));
  return formatLocalLine(event, context, name, localTimes);
};

const formatLocalLine = (
  { timezone }: StoredEvent,
  context: FeedContext,
  name: string,
  localTimes: readonly LocalTime[],
): string => `${name};TZID=${context.zone(timezone).id}:${localTimes.map(toLocalText).join(',')}`;

const priorities = { low: 9, medium: 5, high: 1 } as const;

const getColorName = ({ color }: StoredEvent): string | undefined =>
  // RFC 7986 §5.9 allows only CSS color names.
  color !== undefined && /^[a-z]+$/i.test(color) ? `COLOR:${color.toLowerCase()}` : undefined;

/** Returns what a user answered to an occurrence, or to all; the owner of an event comes. */
const getAnswerOf = (
  { ownerId, attendees }: StoredEvent,
  userId: number,
  recurrenceId: string | undefined,
): Attendance => {
  if (ownerId === userId) return 'accepted';
  const attendee = attendees.find(({ id }) => id === userId);
  return attendee ? getAnswer(attendee, recurrenceId) : 'declined';
};

/** Returns the lines that all occurrences of an event share, except overridden fields. */
const formatCommonLines = (
  event: StoredEvent,
  { userId, host }: FeedContext,
  override: Partial<Override> = {},
): (string | undefined)[] => {
  const { id, title, description, location, type, priority, sequence } = event;
  const place = override.location ?? location;
  const isBusy = type === 'meeting';
  const isConfirmed = getAnswerOf(event, userId, override.recurrenceId) === 'accepted';
  return [
    `UID:event-${id}@${host}`,
    `DTSTAMP:${utc(Date.parse(event.updatedAt))}`,
    `CREATED:${utc(Date.parse(event.createdAt))}`,
    `LAST-MODIFIED:${utc(Date.parse(event.updatedAt))}`,
    `SEQUENCE:${sequence}`,
    `SUMMARY:${escapeText(override.title ?? title)}`,
    description === undefined ? undefined : `DESCRIPTION:${escapeText(description)}`,
    place === undefined ? undefined : `LOCATION:${escapeText(place)}`,
    `CATEGORIES:${type.toUpperCase()}`,
    `PRIORITY:${priorities[priority]}`,
    `STATUS:${isConfirmed ? 'CONFIRMED' : 'TENTATIVE'}`,
    isBusy ? undefined : 'TRANSP:TRANSPARENT',
    getColorName(event),
  ];
};

/** Omits the end if it equals the start (RFC 5545 §3.8.2.2). */
const formatEnd = (
  start: SortableTime,
  end: SortableTime,
  line: () => string,
): string | undefined => (end > start ? line() : undefined);

const formatSingle = (event: StoredEvent, context: FeedContext): string[] => {
  const [start, end] = [toSortableTime(event, event.start), toSortableTime(event, event.end)];
  return formatComponent('VEVENT', [
    formatUtcTime(event, 'DTSTART', start),
    formatEnd(start, end, () => formatUtcTime(event, 'DTEND', end)),
    ...formatCommonLines(event, context),
  ]);
};

/** Formats an occurrence as a component of its own: a modified or ambiguous one. */
const formatOverride = (event: StoredEvent, context: FeedContext, override: Override): string[] => {
  const [start, end] = [toSortableTime(event, override.start), toSortableTime(event, override.end)];
  const by = toSortableTime(event, override.recurrenceId);
  return formatComponent('VEVENT', [
    formatLocalTime(event, context, 'RECURRENCE-ID', [by]),
    formatUtcTime(event, 'DTSTART', start),
    formatEnd(start, end, () => formatUtcTime(event, 'DTEND', end)),
    ...formatCommonLines(event, context, override),
  ]);
};

/**
 * Returns an event as a user's apps should show it: without the occurrences that the user declined, and with those as
 * exceptions that have an answer of their own.
 */
const withOwnAnswers = (event: StoredEvent, userId: number): StoredEvent => {
  const answers = event.attendees.find(({ id }) => id === userId)?.answers;
  if (!answers) return event;
  const answered = Object.keys(answers).filter((id) => !event.exdates.includes(id));
  const declined = answered.filter((id) => answers[id] === 'declined');
  const others = answered.filter((id) => answers[id] !== 'declined' && !findOverride(event, id));
  return {
    ...event,
    exdates: [...event.exdates, ...declined].sort(),
    overrides: [...event.overrides, ...others.map((id) => getOverride(event, id))],
  };
};

/** Formats the occurrences that a user comes to, or may, of a series that the user declined. */
const formatAccepted = (event: StoredEvent, context: FeedContext): string[] =>
  listOverrides(event)
    .filter(({ recurrenceId }) => getAnswerOf(event, context.userId, recurrenceId) !== 'declined')
    .flatMap((override) => formatOverride(event, context, override));

/**
 * Formats an event with its modified occurrences, as its answers show it to a user. COUNT is written as UNTIL, because apps that count skipped starts would
 * end too early. Ambiguous starts at offset changes are excluded or written as separate components.
 */
export const formatEvent = (stored: StoredEvent, context: FeedContext): string[] => {
  const recurrence = parseRecurrence(stored);
  if (!recurrence) return formatSingle(stored, context);
  const event = withOwnAnswers(stored, context.userId);
  if (getAnswerOf(event, context.userId, undefined) === 'declined') {
    return formatAccepted(event, context);
  }
  const { start, rule, lastStart } = recurrence;
  const end = start + getDuration(event);
  const ambiguous = event.allDay
    ? { skipped: [], separate: [] }
    : listAmbiguousStarts(event, recurrence, end - start, context.changes(event.timezone));
  const known = listExceptions(event);
  const separate = ambiguous.separate
    .map((time) => ({ id: toTimeField(event, time), end: toTimeField(event, time + end - start) }))
    .filter(({ id }) => !known.has(id))
    .map(({ id, end }): Override => ({ recurrenceId: id, start: id, end }));
  const until =
    lastStart === undefined ? undefined : event.allDay ? date(lastStart) : utc(lastStart);
  const exdates = event.exdates.map((time) => toSortableTime(event, time));
  const series = formatComponent('VEVENT', [
    formatLocalTime(event, context, 'DTSTART', [start]),
    formatEnd(start, end, () => formatLocalTime(event, context, 'DTEND', [end])),
    `RRULE:${formatRule({ ...rule, count: undefined }, until)}`,
    exdates.length === 0 ? undefined : formatLocalTime(event, context, 'EXDATE', exdates),
    ambiguous.skipped.length === 0
      ? undefined
      : formatLocalLine(event, context, 'EXDATE', ambiguous.skipped),
    ...formatCommonLines(event, context),
  ]);
  const others = [...listOverrides(event), ...separate].map((override) =>
    formatOverride(event, context, override),
  );
  return [series, ...others].flat();
};

/**
 * Reports whether an event is in a user's feed. Declined ones are not, because apps can't distinguish them, unless an
 * occurrence has another answer.
 */
export const isInFeed = (event: StoredEvent, userId: number): boolean =>
  canView(userId, event) &&
  (getAnswerOf(event, userId, undefined) !== 'declined' ||
    event.attendees.some(({ id, answers }) => id === userId && answers !== undefined));
