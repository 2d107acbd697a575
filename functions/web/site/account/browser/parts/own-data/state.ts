import type { Data } from '../../../../../browser/client/endpoints.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { dataTexts as texts } from '../../../data-texts.ts';

export type Export = Data<'GET /api/users/me/exports'>[number];

/** What the user has asked for, newest first. */
export const exports = createSource(() => api.call('GET /api/users/me/exports'));

/** Returns whether it is yet to be made. */
export const isOpen = ({ status }: Export): boolean => status === 'waiting' || status === 'running';

/** The filters of a list, of which some say nothing to people. */
const listFilters = ({ filter }: Export): readonly string[] =>
  filter?.split('&').filter((one) => !/^(mine|sort)=/.test(one)) ?? [];

/** Returns the filters of a list for people: `category: Books, from: 2026-11-01`. */
export const describeFilters = (one: Export): string =>
  listFilters(one)
    .map((filter) => filter.replace('=', ': '))
    .join(', ');

/** Returns what an export is called: `Sales, CSV`. */
export const getName = (one: Export): string => {
  const isOwn = one.kind === 'shares' && /(^|&)mine=true/.test(one.filter ?? '');
  const kind = isOwn ? texts.ownShares : texts.kinds[one.kind];
  return one.kind === 'own-data' ? kind : `${kind}, ${texts.formats[one.format]}`;
};

/** Shows an export as it is now. */
export const show = (changed: Export): void => {
  const others = (exports.data.value ?? []).filter(({ id }) => id !== changed.id);
  exports.data.value = [changed, ...others].toSorted((a, b) =>
    b.requestedAt.localeCompare(a.requestedAt),
  );
};

/** Shows that an export is gone. */
export const hide = ({ id }: Export): void => {
  exports.data.value = exports.data.value?.filter((one) => one.id !== id);
};
