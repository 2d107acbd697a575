/** The pages of records, by the start of their paths in the API. */
const pages: readonly (readonly [api: string, page: (id: string) => string])[] = [
  ['/api/documents/', (id) => `/documents/${id}`],
  ['/api/files/', (id) => `/files?open=${id}`],
  ['/api/messages/', (id) => `/messages?open=${id}`],
  ['/api/calendar/events/', (id) => `/calendar?open=${id}`],
];

/** Returns the page of a notification’s link, which names the record in the API. */
export const toPagePath = (link: string | null): string => {
  const [api, page] = pages.find(([start]) => link?.startsWith(start)) ?? [];
  if (link !== null && api !== undefined && page) return page(link.slice(api.length));
  return link ?? '/notifications';
};
