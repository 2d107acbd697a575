import type { StoredUser } from '../../../../shared/auth/user.ts';
import { readIndexEntries } from '../record/entry-list.ts';
import { getEventSpan, type StoredEvent } from '../record/event.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { findReadable } from '../record/store.ts';
import { dayMs } from '../recurrence/time.ts';
import { toContent } from './content-lines.ts';
import { formatEvent, isInFeed } from './event-lines.ts';
import { aheadMs, createFrame, pastMs } from './frame.ts';

const maxEvents = 2_000;
/** With JSON escaping, this stays below Lambda's response limit of 6 MB. */
const maxBytes = 2.5 * 1024 * 1024;

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
export const readFeedContent = async (user: StoredUser): Promise<string> => {
  const { id } = user;
  const now = Date.now();
  const events = await readEvents(id, now);
  const { context, format } = createFrame(user, now);
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
  const { head, foot } = format();
  return [head, ...contents.map(({ content }) => content), foot].join('');
};
