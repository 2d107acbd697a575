/** The pages of records, by the start of their paths in the API. */
const pages: readonly (readonly [api: string, page: string])[] = [
  ['/api/documents/', '/documents/'],
  ['/api/files/', '/files?open='],
  ['/api/messages/', '/messages?open='],
  ['/api/calendar/events/', '/calendar?open='],
];

/** Returns the page of a notification’s link, which names the record in the API. Other links are pages themselves. */
export const toPagePath = (link: string): string => {
  const record = pages.find(([api]) => link.startsWith(api));
  return record ? `${record[1]}${link.slice(record[0].length)}` : link;
};
