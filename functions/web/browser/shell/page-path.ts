import { type Entry, entries } from '../entries.ts';

/** The pages of records, by the start of their paths in the API. */
const pages: readonly (readonly [api: string, page: string, toUrl: (id: string) => string])[] = [
  ['/api/documents/', '/documents', (id) => `/documents/${id}`],
  ['/api/files/', '/files', (id) => `/files?open=${id}`],
  ['/api/messages/', '/messages', (id) => `/messages?open=${id}`],
  ['/api/calendar/events/', '/calendar', (id) => `/calendar?open=${id}`],
];

const hasEntry = (path: string): boolean =>
  [...entries.main, ...entries.administration].some((entry: Entry) => entry.path === path);

/**
 * Returns the page of a notification’s link, which names the record in the API; `undefined` for a record that has no page.
 */
export const toPagePath = (link: string | null): string | undefined => {
  const record = pages.find(([api]) => link?.startsWith(api));
  if (link === null || !record) return link ?? undefined;
  const [api, page, toUrl] = record;
  return hasEntry(page) ? toUrl(link.slice(api.length)) : undefined;
};
