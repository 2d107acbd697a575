import type { StoredUser } from '../../../../shared/auth/user.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { readPlaces } from '../record/entry-list.ts';
import { getEventSpan, type StoredEvent } from '../record/event.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { findReadable } from '../record/store.ts';
import { dayMs } from '../recurrence/time.ts';
import { formatComponent, toContent } from './content-lines.ts';
import { listTransitions, type ZoneChange } from './dst-transitions.ts';
import { type FeedContext, formatEvent, isInFeed } from './event-lines.ts';
import { formatTimeZone, type ZoneLines } from './time-zone-lines.ts';

const pastMs = 90 * dayMs;
const aheadMs = 366 * dayMs;
const maxEvents = 2_000;
/** With the escapes of JSON it stays below the 6 MB of an answer of Lambda's. */
const maxBytes = 2.5 * 1024 * 1024;

const hour = 'PT1H';

/** Computes each value once. */
const memoize = <Value>(compute: (name: string) => Value): ((name: string) => Value) => {
  const known = new Map<string, Value>();
  return (name) => {
    const value = known.get(name) ?? compute(name);
    known.set(name, value);
    return value;
  };
};

/** What goes on or is to come, the nearest first, then what is over, the latest first. */
const byNeed = (now: number) => (a: StoredEvent, b: StoredEvent) => {
  const [one, other] = [getEventSpan(a), getEventSpan(b)];
  const isExpired = ({ over = Number.POSITIVE_INFINITY }) => over < now;
  if (isExpired(one) !== isExpired(other)) return Number(isExpired(one)) - Number(isExpired(other));
  return isExpired(one) ? other.first - one.first : one.first - other.first;
};

const readEvents = async (userId: number, now: number): Promise<StoredEvent[]> => {
  const from = (start: number) => readPlaces(userId, start, now + aheadMs, maxEvents);
  const all = await from(now - pastMs);
  // Of too much, what is to come.
  const { ids } = all.isWhole ? all : await from(now - dayMs);
  return findReadable(userId, ids);
};

/**
 * A user's calendar as iCalendar (RFC 5545): the events that the user sees and has not declined, single ones from 90 days
 * ago to a year ahead, recurring ones by their rules; at most 2 500 events and 2.5 MB, those left out that are farthest.
 * It is the same, byte for byte, as long as nothing has changed.
 */
export const readFeedContent = async ({ id, timezone }: StoredUser): Promise<string> => {
  const now = Date.now();
  const events = await readEvents(id, now);
  const used = new Map<string, ZoneLines>();
  const zoneOf = memoize(formatTimeZone);
  const context: FeedContext = {
    userId: id,
    host: new URL(getSetting('PUBLIC_URL')).hostname,
    zone: (name) => {
      const zone = zoneOf(name);
      used.set(zone.id, zone);
      return zone;
    },
    changes: memoize((name): readonly ZoneChange[] =>
      listTransitions(name, now - pastMs, now + aheadMs),
    ),
  };
  // A calendar without any component would be none (RFC 5545 §3.6).
  context.zone(timezone ?? 'UTC');
  const contents: { readonly id: number; readonly content: string }[] = [];
  let bytes = 0;
  for (const event of events.filter((one) => isInFeed(one, id)).sort(byNeed(now))) {
    const content = skipInvalid(event, () => toContent(formatEvent(event, context)));
    if (content === undefined) continue;
    bytes += Buffer.byteLength(content);
    if (bytes > maxBytes) break;
    contents.push({ id: event.id, content });
  }
  // In an order that does not depend on the hour, or its tag would.
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
