import { computed, signal } from '@preact/signals';
import { compareNames } from '../../../../../../shared/text/sort-name.ts';
import type { Item } from '../../../../browser/client/endpoints.ts';
import { formatMoney } from '../../../../browser/data/money.ts';
import { createRecords, createUrlList } from '../../../../browser/data/record-list.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { may } from '../../../../browser/shell/session.ts';
import { salesTexts as texts } from '../../texts.ts';
import { parseView, toQuery, toUrl, type View } from '../../view.ts';

export type Sale = Item<'GET /api/sales'>;

export const pageSize = 25;

/** The currency of new sales. */
export const currency = document.getElementById('sales')?.dataset['currency'] ?? 'EUR';

export const { url, view, list, selection } = createUrlList<View, Sale>({
  parse: parseView,
  toUrl,
  read: (shown, start) =>
    api.call('GET /api/sales', {
      query: { ...toQuery(shown), sort: shown.sort, pageSize, ...start },
    }),
});

/** The sales as they were last read or saved on the page. */
export const records = createRecords(list.items);

/** How far an import is; `undefined` without one. */
export const importing = signal<{ readonly done: number; readonly count: number } | undefined>(
  undefined,
);

/** Browsers keep totals for a while, so what has just been recorded would be missing. */
const fetchNow: typeof fetch = (input, init) => fetch(input, { ...init, cache: 'no-cache' });

const months = 12;

/** The totals of the last months, for those who may see them. */
export const totals = createSource(() =>
  api.call('GET /api/dashboard/sales', { query: { months }, fetch: fetchNow }),
);

export const loadTotals = (): void => {
  if (may('dashboard:view')) void totals.load();
};

/** Loads again what the page shows. */
export const reload = async (): Promise<void> => {
  loadTotals();
  await list.load();
};

/** The categories of all sales, for those who may see them. */
const soldCategories = createSource(async () => {
  const slices = await api.call('GET /api/dashboard/pie', { query: { by: 'category' } });
  // What the API calls those without one can’t be filtered by.
  return slices.map(({ name }) => name).filter((name) => name !== 'Uncategorized');
});

/** Loads the categories once they are needed. */
export const loadCategories = (): void => {
  if (may('dashboard:view') && !soldCategories.data.value) void soldCategories.load();
};

/** The categories that are known, to choose from. */
export const categories = computed(() => {
  const listed = list.items.value?.map(({ category }) => category) ?? [];
  const all = new Set([...(soldCategories.data.value ?? []), ...listed]);
  return [...all].filter((name) => name !== null).toSorted(compareNames);
});

/** Returns what to call a sale. */
export const getName = ({ customer, amount, currency }: Sale): string =>
  texts.name(customer ?? texts.noCustomer, formatMoney(amount, currency));
