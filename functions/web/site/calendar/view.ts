import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';

/** The ways to look at the calendar. */
export const modes = ['month', 'week', 'day', 'agenda'] as const;

export type Mode = (typeof modes)[number];

/** The state of the calendar page. */
export interface View {
  readonly mode: Mode;
  /** The day around which it shows events, such as `2026-11-23`; `undefined` is today. */
  readonly date: string | undefined;
  /** The id of the event that is open; `new` for the form of a new one; `feed` for the feed’s address. */
  readonly open: number | 'new' | 'feed' | undefined;
  /** The `occurrenceStart` of the open occurrence, or the start of a new event: an instant or a date. */
  readonly start: string | undefined;
  /** The end of a new event: an instant, or the date after its last day. */
  readonly end: string | undefined;
}

/** Nothing is open. */
export const closed = { open: undefined, start: undefined, end: undefined } as const;

/** Returns the day if it is one, such as `2026-11-23`. */
const readDay = (text: string | null): string | undefined =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;

/** Returns an instant or a day. */
const readTime = (text: string | null): string | undefined => {
  if (text === null || readDay(text) !== undefined) return text ?? undefined;
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

const readOpen = (query: URLSearchParams): View['open'] => {
  if (query.has('new')) return 'new';
  return query.get('open') === 'feed' ? 'feed' : toInteger(query.get('open'));
};

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => {
  const open = readOpen(query);
  const hasTimes = open === 'new' || typeof open === 'number';
  return {
    mode: chooseOne(modes, query.get('view')),
    date: readDay(query.get('date')),
    open,
    start: hasTimes ? readTime(query.get('start')) : undefined,
    end: open === 'new' ? readTime(query.get('end')) : undefined,
  };
};

/** Returns path and query of a view. */
export const toUrl = ({ mode, date, open, start, end }: View): string =>
  writeUrl('/calendar', {
    view: mode === 'month' ? undefined : mode,
    date,
    ...(open === 'new' ? { new: 'event' } : { open }),
    start,
    end,
  });
