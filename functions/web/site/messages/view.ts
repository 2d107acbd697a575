import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';

/** What the list of conversations shows. */
export const shows = ['all', 'unread', 'sent'] as const;

export type Show = (typeof shows)[number];

/** The state of the messages page. */
export interface View {
  readonly show: Show;
  readonly search: string;
  /** The id of the open conversation, or of one of its messages, as links have it. */
  readonly open: number | undefined;
  /** The id of the message to scroll to in the open conversation. */
  readonly at: number | undefined;
  /** Whether a new message is being written. */
  readonly isNew: boolean;
}

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => {
  const isNew = query.has('new');
  const open = isNew ? undefined : toInteger(query.get('open'));
  return {
    show: chooseOne(shows, query.get('show')),
    search: query.get('search') ?? '',
    open,
    at: open === undefined ? undefined : toInteger(query.get('at')),
    isNew,
  };
};

/** Returns path and query of a view. */
export const toUrl = ({ show, search, open, at, isNew }: View): string =>
  writeUrl('/messages', {
    show: show === 'all' ? undefined : show,
    search: search.trim(),
    open,
    at: open === undefined ? undefined : at,
    new: isNew ? '1' : undefined,
  });
