import type { StoredUser } from '../../../../shared/auth/user.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { readIndexEntries } from '../record/entry-list.ts';
import { getEventSpan, type StoredEvent } from '../record/event.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { findReadable } from '../record/store.ts';
import { dayMs } from '../recurrence/time.ts';
import { formatComponent, toContent } from './content-lines.ts';
import { type ClockTransition, listTransitions } from './dst-transitions.ts';
import { type FeedContext, formatEvent, isInFeed } from './event-lines.ts';
import { formatTimeZone, type ZoneLines } from './time-zone-lines.ts';

const pastMs = 90 * dayMs;
const aheadMs = 366 * dayMs;
const maxEvents = 2_000;
/** With JSON escaping, this stays below Lambda's response limit of 6 MB. */
const maxBytes = 2.5 * 1024 * 1024;

const hour = 'PT1H';

/** Caches the results of a function. */
const memoize = <Value>(compute: (name: string) => Value): ((name: string) => Value) => {
  const known = new Map<string, Value>();
  return (name) => {
    const value = known.get(name) ?? compute(name);
    known.set(name, value);
    return value;
  };
};

/** Sorts current and future events first, the nearest first, then past ones, the latest first. */
const byRelevance = (now: number) => (a: StoredEvent, b: StoredEvent) => {
  const [one, other] = [getEventSpan(a), getEventSpan(b)];
  const isExpired = ({ over = Number.POSITIVE_INFINITY }) => over < now;
  if (isExpired(one) !== isExpired(other)) return Number(isExpired(one)) - Number(isExpired(other));
  return isExpired(one) ? other.first - one.first : one.first - other.first;
};

const readEvents = async (userId: number, now: number): Promise<StoredEvent[]> => {
  const from = (start: number) => readIndexEntries(userId, start, now + aheadMs, maxEvents);
  const all = await from(now - pastMs);
  // If there are too many, future events matter more.
  const { ids } = all.isWhole ? all : await from(now - dayMs);
  return findReadable(userId, ids);
};

/**
 * Returns a user's calendar as iCalendar (RFC 5545): all visible events that the user has not declined, single ones from 90
 * days ago to a year ahead, recurring ones by their rules. Limited to 2 500 events and 2.5 MB, dropping the farthest. The
 * content is identical, byte for byte, until something changes.
 */
export const readFeedContent = async ({ id, timezone }: StoredUser): Promise<string> => {
  const now = Date.now();
  const events = await readEvents(id, now);
  const used = new Map<string, ZoneLines>();
  const getZoneLines = memoize(formatTimeZone);
  const context: FeedContext = {
    userId: id,
    host: new URL(getSetting('PUBLIC_URL')).hostname,
    zone: (name) => {
      const zone = getZoneLines(name);
      used.set(zone.id, zone);
      return zone;
    },
    changes: memoize((name): readonly ClockTransition[] =>
      listTransitions(name, now - pastMs, now + aheadMs),
    ),
  };
  // A calendar needs at least one component (RFC 5545 §3.6).
  context.zone(timezone ?? 'UTC');
  const contents: { readonly id: number; readonly content: string }[] = [];
  let bytes = 0;
  for (const event of events.filter((event) => isInFeed(event, id)).sort(byRelevance(now))) {
    const content = skipInvalid(event, () => toContent(formatEvent(event, context)));
    if (content === undefined) continue;
    bytes += Buffer.byteLength(content);
    if (bytes > maxBytes) break;
    contents.push({ id: event.id, content });
  }
  // Sort independently of the current time, or the ETag would change.
  contents.sort((a, b) => a.id - b.id);
  const zones = [...used.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const [begin = '', ...rest] = formatComponent('VCALENDAR', [
    'VERSION:2.0',
    'PRODID:-//Handbill//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'NAME:Handbill',
    'X-WR-CALNAME:Handbill',
    `REFRESH-INTERVAL;VALUE=DURATION:${hour}`,
    `X-PUBLISHED-TTL:${hour}`,
    ...zones.flatMap(({ lines }) => lines),
  ]);
  const head = rest.slice(0, -1);
  return [
    toContent([begin, ...head]),
    ...contents.map(({ content }) => content),
    toContent(rest.slice(-1)),
  ].join('');
};
