import { type Partition, partitionQuery } from '../../../shared/db/query.ts';
import type { ArchiveSection } from '../../../shared/exports/archive-entry.ts';
import { createJsonList, createSpool, type Spool } from '../../../shared/exports/archive-lines.ts';
import { readPages } from '../../../shared/exports/archive-pages.ts';
import { readWithCurrentNames } from './events/current-names.ts';
import { toContent } from './feed/content-lines.ts';
import { formatEvent, isInFeed } from './feed/event-lines.ts';
import { type CalendarFrame, createFrame } from './feed/frame.ts';
import type { StoredEvent } from './record/event.ts';
import { eventKeys } from './record/keys.ts';
import { skipInvalid } from './record/skip-invalid.ts';
import { CalendarEvent, toEvent } from './schemas.ts';

/** How many events are read at once. */
const pageSize = 25;

/** Reads all events of a user, also those that others have invited the user to. */
async function* readEvents(userId: number): AsyncGenerator<StoredEvent> {
  const calendar: Partition = eventKeys.recurring.partition({ userId });
  for await (const items of readPages(partitionQuery(calendar, false), pageSize)) {
    yield* await readWithCurrentNames(
      userId,
      items.map(({ id }) => id as number),
    );
  }
}

/** Returns an event as `GET /api/calendar/events/{id}` shows it, without what only occurrences have. */
const describe = (event: StoredEvent) => {
  const { seriesId, occurrenceStart, recurrenceId, attendees, ...shown } = CalendarEvent.parse(
    toEvent(event),
  );
  return { ...shown, attendees: attendees.map(({ avatar, ...attendee }) => attendee) };
};

async function* writeCalendar({ format }: CalendarFrame, events: Spool) {
  const { head, foot } = format();
  yield Buffer.from(head);
  yield* events.read();
  yield Buffer.from(foot);
}

/** A user's calendar: all events as JSON, and as iCalendar those that apps get of them. */
export const section: ArchiveSection = {
  name: 'calendar',
  async *entries({ user }, notes) {
    const frame = createFrame(user, Date.now());
    const list = createJsonList();
    const lines = createSpool();
    for await (const event of readEvents(user.id)) {
      list.add(describe(event));
      if (!isInFeed(event, user.id)) continue;
      const content = skipInvalid(event, () => toContent(formatEvent(event, frame.context)));
      if (content !== undefined) lines.add(content);
      else notes.leftOut(`calendar.ics: ${event.title}, which apps can’t show.`);
    }
    yield { path: 'calendar.json', content: list.read() };
    yield { path: 'calendar.ics', content: writeCalendar(frame, lines) };
  },
};
