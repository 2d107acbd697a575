import type { StoredUser } from '../../../../shared/auth/user.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { dayMs } from '../recurrence/time.ts';
import { formatComponent, toContent } from './content-lines.ts';
import { type ClockTransition, listTransitions } from './dst-transitions.ts';
import type { FeedContext } from './event-lines.ts';
import { formatTimeZone, type ZoneLines } from './time-zone-lines.ts';

/** How far back and ahead apps show a calendar as it is. */
export const pastMs = 90 * dayMs;
export const aheadMs = 366 * dayMs;

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

/** What is around the events of a user's calendar in iCalendar. */
export interface CalendarFrame {
  /** What events are formatted in. It takes note of their time zones. */
  readonly context: FeedContext;
  /** Formats what comes before and after the events that have been formatted. */
  format(): { readonly head: string; readonly foot: string };
}

/** Creates the frame of a user's calendar at a time (ms since 1970). */
export const createFrame = (
  { id, timezone }: Pick<StoredUser, 'id' | 'timezone'>,
  now: number,
): CalendarFrame => {
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
  return {
    context,
    format: () => {
      const zones = [...used.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      const lines = formatComponent('VCALENDAR', [
        'VERSION:2.0',
        'PRODID:-//Handbill//Calendar//EN',
        'CALSCALE:GREGORIAN',
        'NAME:Handbill',
        'X-WR-CALNAME:Handbill',
        `REFRESH-INTERVAL;VALUE=DURATION:${hour}`,
        `X-PUBLISHED-TTL:${hour}`,
        ...zones.flatMap((zone) => zone.lines),
      ]);
      return { head: toContent(lines.slice(0, -1)), foot: toContent(lines.slice(-1)) };
    },
  };
};
