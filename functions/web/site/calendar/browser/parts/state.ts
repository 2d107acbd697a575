import { computed, effect, signal } from '@preact/signals';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { createUrlState } from '../../../../browser/data/url-state.ts';
import { api } from '../../../../browser/shell/api.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { updates } from '../../../../browser/shell/updates.ts';
import { getFirstWeekday, listDays, listMonth, startOfWeek } from '../../time/days.ts';
import { isDate } from '../../time/local.ts';
import { toLocal } from '../../time/zone.ts';
import { closed, parseView, toUrl, type View } from '../../view.ts';

/** An event, or an occurrence of a recurring one. */
export type Occurrence = Data<'GET /api/calendar/events'>['items'][number];

/** The time zone of the calendar: the user’s, or the browser’s. */
export const zone = signedIn?.user.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const language = dateLanguage.read() ?? navigator.language;

export const firstWeekday = getFirstWeekday(language);

/** The current time, which advances each minute. */
export const now = signal(Date.now());

export const today = computed(() => toLocal(now.value, zone).day);

const agendaDays = 30;

/** Returns the days that a view shows. */
const listShown = ({ mode, date = today.peek() }: Pick<View, 'mode' | 'date'>) => {
  if (mode === 'month') return listMonth(date, firstWeekday);
  if (mode === 'week') return listDays(startOfWeek(date, firstWeekday), 7);
  return listDays(date, mode === 'day' ? 1 : agendaDays);
};

const sameDays = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one[0] === other[0];

export const url = createUrlState<View>({
  parse: parseView,
  toUrl,
  getFormOf: ({ open, start, end }) => [open, start, end],
  onChange: (next, before) => {
    if (!sameDays(listShown(next), listShown(before))) void events.load();
  },
});

export const { view } = url;

/** The day around which events are shown. */
export const date = computed(() => view.value.date ?? today.value);

/** The days that are shown. */
export const days = computed(() => listShown({ mode: view.value.mode, date: date.value }));

/** Shows the day of an instant or a date, unless the address has a day. */
export const showTime = (time: string): void => {
  const day = isDate(time) ? time : toLocal(Date.parse(time), zone).day;
  if (view.peek().date === undefined && !days.peek().includes(day)) url.change({ date: day });
};

/** A window has up to 500 occurrences. */
const maxRequests = 4;

/** The occurrences of the days that are shown. */
export const events = createSource(async () => {
  const shown = days.peek();
  const [first = today.peek()] = shown;
  const found = new Map<string, Occurrence>();
  let start = first;
  for (let request = 0; request < maxRequests; request++) {
    const page = await api.call('GET /api/calendar/events', {
      query: { start, end: shown.at(-1) ?? first, timezone: zone },
    });
    for (const one of page.items) found.set(keyOf(one), one);
    if (page.nextStart === null) break;
    start = page.nextStart;
  }
  return [...found.values()];
});

/** Identifies an occurrence on the page. */
export const keyOf = ({ id, occurrenceStart }: Occurrence): string =>
  `${id} ${occurrenceStart ?? ''}`;

/** Returns the shown event with a key. */
export const findEvent = (key: string | undefined): Occurrence | undefined =>
  events.data.value?.find((one) => keyOf(one) === key);

/** Loads the shown events again, after a change. */
export const reload = (): Promise<void> => events.load();

/** Shows an occurrence as changed, until the events are loaded again. */
export const showChanged = (event: Occurrence, change: Partial<Occurrence>): void => {
  const key = keyOf(event);
  events.data.value = events.data.value?.map((one) =>
    keyOf(one) === key ? { ...one, ...change } : one,
  );
};

/** Closes what is open beside the calendar. */
export const close = (): void => url.close(closed);

/** Keeps the time, and loads the events again when the service says that the calendar has changed. */
export const startClock = (): void => {
  setInterval(() => {
    now.value = Date.now();
  }, 60_000);
  let known: number | undefined;
  effect(() => {
    const { calendarVersion } = updates.value;
    if (known !== undefined && calendarVersion !== known) void events.load();
    known = calendarVersion;
  });
};
