import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';

/** The last sold first; `-` reverses. */
export const sorts = ['soldAt', '-soldAt'] as const;

/** What selects sales. The API takes one filter at a time; a period is one. */
export interface Filter {
  readonly customer: string;
  readonly category: string;
  /** The first and the last day of a period, such as `2026-11-21`. */
  readonly from: string;
  readonly to: string;
}

/** The state of the sales page. */
export interface View extends Filter {
  readonly sort: (typeof sorts)[number];
  /** The page of the list, from 1. */
  readonly page: number;
  /** The id of the sale that is open; `new` for the form of a new one; `import` for a file. */
  readonly open: number | 'new' | 'import' | undefined;
}

export const noFilter: Filter = { customer: '', category: '', from: '', to: '' };

/** Returns the filter with nothing but what is given. */
export const filterBy = (filter: Partial<Filter>): Filter => ({ ...noFilter, ...filter });

const readDay = (text: string | null): string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

/** Reads one filter: a query with several is of no link of this page. */
const parseFilter = (query: URLSearchParams): Filter => {
  const customer = query.get('customer') ?? '';
  if (customer !== '') return filterBy({ customer });
  const category = query.get('category') ?? '';
  if (category !== '') return filterBy({ category });
  const [from, to] = [readDay(query.get('from')), readDay(query.get('to'))];
  return filterBy({ from, to: to !== '' && to < from ? '' : to });
};

const parseOpen = (query: URLSearchParams): View['open'] => {
  if (query.has('new')) return 'new';
  return query.has('import') ? 'import' : toInteger(query.get('open'));
};

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => ({
  ...parseFilter(query),
  sort: chooseOne(sorts, query.get('sort')),
  page: toInteger(query.get('page')) ?? 1,
  open: parseOpen(query),
});

const writeOpen = (open: View['open']) => {
  if (open === 'new') return { new: 'sale' };
  return open === 'import' ? { import: 'csv' } : { open };
};

/** Returns path and query of a view. */
export const toUrl = ({ customer, category, from, to, sort, page, open }: View): string =>
  writeUrl('/sales', {
    customer,
    category,
    from,
    to,
    sort: sort === 'soldAt' ? undefined : sort,
    page: page === 1 ? undefined : page,
    ...writeOpen(open),
  });

/** Returns whether a view leaves sales out. */
export const isFiltered = ({ customer, category, from, to }: Filter): boolean =>
  [customer, category, from, to].some((text) => text.trim() !== '');

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the start of a day in the browser’s time zone, with its offset, by which the API knows the day. */
const toStart = (day: string, offset: number): string => {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + offset);
  const [year, month, of] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const start = new Date(Date.UTC(year, month, of));
  // A day may begin at one o’clock, so this may not be the offset that the browser has for its start.
  const minutes = Math.round((start.getTime() - date.getTime()) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${start.toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
};

/** Returns the filter as the API takes it. Days are those of the browser’s time zone, as the list shows them. */
export const toQuery = ({ customer, category, from, to }: Filter) => ({
  ...(customer.trim() !== '' && { customer: customer.trim() }),
  ...(category.trim() !== '' && { category: category.trim() }),
  ...(from !== '' && { from: toStart(from, 0) }),
  ...(to !== '' && { to: toStart(to, 1) }),
});
