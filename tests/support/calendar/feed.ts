import ICAL from 'ical.js';
import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import type { Person } from '../users/test-users.ts';
import { inWindow } from './calendar.ts';

/** Creates a feed and returns the token of its address. */
export const newFeed = async ({ token }: Pick<Person, 'token'>): Promise<string> => {
  const { status, body } = await call('POST /api/calendar/feed', { token });
  expect(status).toBe(201);
  return new URL(body.data.url).pathname.split('/')[2] ?? '';
};

/** Requests the calendar feed with this token. */
export const readFeed = (token: string, headers = {}): Promise<Answer> =>
  call('GET /calendar/{token}/events.ics', { params: { token }, headers });

/** Returns the text of the calendar feed with this token. */
export const textOf = async (token: string): Promise<string> => {
  const { status, body } = await readFeed(token);
  expect(status).toBe(200);
  return body;
};

/** One occurrence of an event, with instants, or dates if it is all-day. */
export interface Happening {
  readonly title: string;
  readonly start: string;
  readonly end: string;
}

const timeOf = (time: ICAL.Time): string =>
  time.isDate ? time.toString() : new Date(time.toUnixTime() * 1_000).toISOString();

const byStart = (one: Happening, other: Happening): number =>
  one.start.localeCompare(other.start) || one.title.localeCompare(other.title);

const isWithin = (start: string, end: string, { start: at, end: over }: Happening): boolean => {
  const [from, to] = at.includes('T') ? [start, end] : [start.slice(0, 10), end.slice(0, 10)];
  return at < to && (over > from || at >= from);
};

const maxSteps = 20_000;

/** Expands a feed with an independent parser within a window (ISO 8601, midnight in UTC). */
export const expand = (text: string, start: string, end: string): Happening[] => {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  }
  const components = calendar.getAllSubcomponents('vevent');
  const exceptions = components.filter((one) => one.hasProperty('recurrence-id'));
  const found: Happening[] = [];
  for (const component of components.filter((one) => !exceptions.includes(one))) {
    const uid = component.getFirstPropertyValue('uid');
    const event = new ICAL.Event(component, {
      exceptions: exceptions.filter((one) => one.getFirstPropertyValue('uid') === uid),
    });
    const add = (item: ICAL.Event, from: ICAL.Time, to: ICAL.Time) =>
      found.push({ title: item.summary, start: timeOf(from), end: timeOf(to) });
    if (!event.isRecurring()) {
      add(event, event.startDate, event.endDate);
      continue;
    }
    const iterator = event.iterator();
    // An occurrence after the window can be moved into it.
    const last = new Date(Date.parse(end) + 400 * 86_400_000).toISOString();
    for (let step = 0; step < maxSteps; step++) {
      const next = iterator.next();
      if (!next || timeOf(next) > last) break;
      const { item, startDate, endDate } = event.getOccurrenceDetails(next);
      add(item, startDate, endDate);
    }
  }
  return found.filter((one) => isWithin(start, end, one)).sort(byStart);
};

/** Returns the same occurrences from the API. */
export const answered = async (
  person: Pick<Person, 'token'>,
  start: string,
  end: string,
): Promise<Happening[]> => {
  const { items, truncated } = await inWindow(person, start, end, { timezone: 'UTC' });
  expect(truncated).toBe(false);
  return (items as Happening[])
    .map((item) => ({ title: item.title, start: item.start, end: item.end }))
    .sort(byStart);
};
