import {
  canView,
  getDuration,
  type Override,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from '../record/event.ts';
import { parseRecurrence } from '../record/schedule.ts';
import type { SortableTime } from '../recurrence/recurrence.ts';
import { formatRule } from '../recurrence/rule.ts';
import { type LocalTime, toLocalTime } from '../recurrence/time.ts';
import { escapeText, formatComponent } from './content-lines.ts';
import { listAmbiguousStarts, type ZoneChange } from './dst-transitions.ts';
import type { ZoneLines } from './time-zone-lines.ts';

/** For whom and where a feed is, and how its time zones are written. */
export interface FeedContext {
  readonly userId: number;
  /** What makes the ids of events unique in the world. */
  readonly host: string;
  zone(name: string): ZoneLines;
  changes(name: string): readonly ZoneChange[];
}

const compact = (time: string): string => time.slice(0, 19).replaceAll(/[-:]/g, '');

const utc = (tick: SortableTime): string => `${compact(new Date(tick).toISOString())}Z`;

const date = (tick: SortableTime): string => compact(new Date(tick).toISOString().slice(0, 10));

const toLocalText = (wall: LocalTime): string => compact(new Date(wall).toISOString());

/** A property whose value is a moment, by which it is known all over the world, or the date of an all-day event. */
const moment = ({ allDay }: StoredEvent, name: string, tick: SortableTime): string =>
  allDay ? `${name};VALUE=DATE:${date(tick)}` : `${name}:${utc(tick)}`;

/** A property whose values are starts of the rule, as the clock on the wall shows them: that is what recurs. */
const formatLocalTime = (
  event: StoredEvent,
  context: FeedContext,
  name: string,
  ticks: readonly SortableTime[],
): string => {
  if (event.allDay) return `${name};VALUE=DATE:${ticks.map(date).join(',')}`;
  const walls = ticks.map((tick) => toLocalTime(tick, event.timezone));
  return formatLocalLine(event, context, name, walls);
};

const formatLocalLine = (
  { timezone }: StoredEvent,
  context: FeedContext,
  name: string,
  walls: readonly LocalTime[],
): string => `${name};TZID=${context.zone(timezone).id}:${walls.map(toLocalText).join(',')}`;

const priorities = { low: 9, medium: 5, high: 1 } as const;

const getColorName = ({ color }: StoredEvent): string | undefined =>
  // RFC 7986 §5.9 takes the names of CSS only.
  color !== undefined && /^[a-z]+$/i.test(color) ? `COLOR:${color.toLowerCase()}` : undefined;

/** Has the user accepted it, of an event of somebody else's? */
const isCertain = ({ ownerId, attendees }: StoredEvent, userId: number): boolean =>
  ownerId === userId || attendees.some(({ id, status }) => id === userId && status === 'accepted');

/** What is the same whenever an event takes place, apart from what of it is another once. */
const common = (
  event: StoredEvent,
  { userId, host }: FeedContext,
  override: Partial<Override> = {},
): (string | undefined)[] => {
  const { id, title, description, location, type, priority, sequence } = event;
  const place = override.location ?? location;
  const isBusy = type === 'meeting';
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
    `STATUS:${isCertain(event, userId) ? 'CONFIRMED' : 'TENTATIVE'}`,
    isBusy ? undefined : 'TRANSP:TRANSPARENT',
    getColorName(event),
  ];
};

/** Nothing may end when it starts (RFC 5545 §3.8.2.2): what is a moment has no end. */
const endAfter = (
  start: SortableTime,
  end: SortableTime,
  line: () => string,
): string | undefined => (end > start ? line() : undefined);

const single = (event: StoredEvent, context: FeedContext): string[] => {
  const [start, end] = [toSortableTime(event, event.start), toSortableTime(event, event.end)];
  return formatComponent('VEVENT', [
    moment(event, 'DTSTART', start),
    endAfter(start, end, () => moment(event, 'DTEND', end)),
    ...common(event, context),
  ]);
};

/** One occurrence that differs from the others, or has to be told by its moment. */
const differing = (event: StoredEvent, context: FeedContext, override: Override): string[] => {
  const [start, end] = [toSortableTime(event, override.start), toSortableTime(event, override.end)];
  const by = toSortableTime(event, override.recurrenceId);
  return formatComponent('VEVENT', [
    formatLocalTime(event, context, 'RECURRENCE-ID', [by]),
    moment(event, 'DTSTART', start),
    endAfter(start, end, () => moment(event, 'DTEND', end)),
    ...common(event, context, override),
  ]);
};

/**
 * An event and its occurrences that differ. COUNT is written as UNTIL: programs that count starts which clocks skip would
 * end too early. Starts that are unclear where clocks change are left out or told by their moment.
 */
export const formatEvent = (event: StoredEvent, context: FeedContext): string[] => {
  const recurrence = parseRecurrence(event);
  if (!recurrence) return single(event, context);
  const { start, rule, lastStart } = recurrence;
  const end = start + getDuration(event);
  const unclear = event.allDay
    ? { skipped: [], told: [] }
    : listAmbiguousStarts(event, recurrence, end - start, context.changes(event.timezone));
  const known = new Set([
    ...event.exdates,
    ...event.overrides.map(({ recurrenceId }) => recurrenceId),
  ]);
  const told = unclear.told
    .map((tick) => ({ id: toTimeField(event, tick), end: toTimeField(event, tick + end - start) }))
    .filter(({ id }) => !known.has(id))
    .map((one): Override => ({ recurrenceId: one.id, start: one.id, end: one.end }));
  const overrides = event.overrides.filter(
    ({ recurrenceId }) => !event.exdates.includes(recurrenceId),
  );
  const until =
    lastStart === undefined ? undefined : event.allDay ? date(lastStart) : utc(lastStart);
  const exdates = event.exdates.map((time) => toSortableTime(event, time));
  const series = formatComponent('VEVENT', [
    formatLocalTime(event, context, 'DTSTART', [start]),
    endAfter(start, end, () => formatLocalTime(event, context, 'DTEND', [end])),
    `RRULE:${formatRule({ ...rule, count: undefined }, until)}`,
    exdates.length === 0 ? undefined : formatLocalTime(event, context, 'EXDATE', exdates),
    unclear.skipped.length === 0
      ? undefined
      : formatLocalLine(event, context, 'EXDATE', unclear.skipped),
    ...common(event, context),
  ]);
  const others = [...overrides, ...told].map((one) => differing(event, context, one));
  return [series, ...others].flat();
};

/** Is an event in a user's feed? What the user has declined is not: a program could not tell it from the rest. */
export const isInFeed = (event: StoredEvent, userId: number): boolean =>
  canView(userId, event) &&
  !event.attendees.some(({ id, status }) => id === userId && status === 'declined');
