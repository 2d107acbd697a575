import type { Item } from '../../../../browser/client/endpoints.ts';
import type { PageStart } from '../../../../browser/data/paged-list.ts';
import { createUrlList } from '../../../../browser/data/record-list.ts';
import { api } from '../../../../browser/shell/api.ts';
import { auditTexts as texts } from '../../texts.ts';
import { type Filter, isFiltered, parseView, toUrl, type View } from '../../view.ts';

export type Entry = Item<'GET /api/audit'>;

const pageSize = 50;

/** A page by action may be empty although others follow. How many of these are passed. */
const maxEmptyPages = 20;

/** Returns the instant at which a day begins in the time zone of the browser, or later by days. */
const toInstant = (day: string, laterDays = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + laterDays).toISOString();
};

/** Returns the filter as the API takes it; the last day is included. */
export const toParameters = ({ actor, subject, action, from, to }: Filter) => ({
  ...(actor !== undefined && { actor: String(actor) }),
  ...(subject !== undefined && { subject }),
  ...(action !== undefined && { action }),
  ...(from !== '' && { from: toInstant(from) }),
  ...(to !== '' && { to: toInstant(to, 1) }),
});

const read = async (filter: Filter, size: number, start: PageStart, isCounted = false) => {
  const query = {
    ...toParameters(filter),
    pageSize: size,
    ...(isCounted && { count: 'true' as const }),
  };
  let page = await api.call('GET /api/audit', { query: { ...query, ...start } });
  for (
    let empty = 0;
    page.items.length === 0 && page.nextCursor && empty < maxEmptyPages;
    empty++
  ) {
    page = await api.call('GET /api/audit', { query: { ...query, cursor: page.nextCursor } });
  }
  return page;
};

/** Only what a filter finds is counted, because counting costs more than the page. */
export const { url, view, list } = createUrlList<View, Entry>({
  parse: parseView,
  toUrl,
  read: (shown, start) => read(shown, pageSize, start, isFiltered(shown)),
});

/** Returns what an address calls an entry. */
export const getKey = ({ at, id }: Pick<Entry, 'at' | 'id'>): string => `${at}.${id}`;

/** Reads an entry by its key. */
export const readEntry = async (key: string): Promise<Entry> => {
  const dot = key.lastIndexOf('.');
  const [at, id] = [key.slice(0, dot), key.slice(dot + 1)];
  const to = new Date(Date.parse(at) + 1).toISOString();
  const { items } = await api.call('GET /api/audit', { query: { from: at, to, pageSize: 100 } });
  const entry = items.find((one) => one.id === id);
  if (!entry) throw new Error(texts.notFound);
  return entry;
};

/** Returns who did it: a user, nobody who was signed in, or the service itself. */
export const getActorName = ({ actor, address }: Entry): string => {
  if (actor) return actor.name ?? texts.deletedUser;
  return address === '' ? texts.system : texts.nobody;
};
