import { signal } from '@preact/signals';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { parseView, type View } from '../../view.ts';

/** What the page shows, as its URL says. */
export const view = signal<View>(parseView(location.search));

const readShares = async () => {
  const page = await api.call('GET /api/share', { query: { mine: 'true', pageSize: 5 } });
  if (!('items' in page)) throw new Error('The API returned no list');
  return page;
};

/** The sources of the user's own sections. */
export const own = {
  shares: createSource(readShares),
  sharesSummary: createSource(() => api.call('GET /api/share/summary')),
  usage: createSource(() => api.call('GET /api/files/usage')),
  tasks: createSource(() => api.call('GET /api/dashboard/tasks')),
  events: createSource(() => api.call('GET /api/dashboard/calendar')),
};

const readParts = async () => {
  const { by } = view.value;
  return { by, slices: await api.call('GET /api/dashboard/pie', { query: { by } }) };
};

const readReported = () =>
  api.call('GET /api/shares', { query: { reported: 'true', pageSize: 5 } });

/** The sources of the sections about the whole service. */
export const service = {
  figures: createSource(() => api.call('GET /api/dashboard/stats')),
  visits: createSource(() =>
    api.call('GET /api/dashboard/visits', { query: { days: Number(view.value.days) } }),
  ),
  sales: createSource(() =>
    api.call('GET /api/dashboard/sales', { query: { months: Number(view.value.months) } }),
  ),
  parts: createSource(readParts),
  reported: createSource(readReported),
};
