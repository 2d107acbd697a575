import { signal } from '@preact/signals';
import { type Role, roles } from '../../../../../../shared/permissions/permissions.ts';
import type { Item } from '../../../../browser/client/endpoints.ts';
import type { RowKey } from '../../../../browser/components/table.tsx';
import { createPagedList } from '../../../../browser/data/paged-list.ts';
import { createUrlState } from '../../../../browser/data/url-state.ts';
import { api } from '../../../../browser/shell/api.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import { parseView, toUrl, type View } from '../../view.ts';

export type User = Item<'GET /api/users'>;

export const pageSize = 25;

const keyOfList = ({ search, role, status, sort }: View): string =>
  JSON.stringify([search, role, status, sort]);

export const url = createUrlState<View>({
  parse: parseView,
  toUrl,
  getFormOf: ({ tab, open }) => [tab, open],
  onChange: (next, before) => {
    const isOther = keyOfList(next) !== keyOfList(before);
    if (!isOther && next.page === before.page) return;
    selection.value = new Set();
    if (isOther) list.items.value = undefined;
    void list.load(next.page);
  },
});

export const { view } = url;

export const list = createPagedList<User>(async (start) => {
  const { search, role, status, sort } = view.value;
  const query = {
    ...(search.trim() !== '' && { search }),
    ...(role !== 'all' && { role }),
    ...(status !== 'all' && { status }),
    sort,
    pageSize,
    ...start,
  };
  const page = await api.call('GET /api/users', { query });
  if (!('items' in page)) throw new Error('The API returned no page');
  return page;
});

export const selection = signal<ReadonlySet<RowKey>>(new Set());

const rankOf = (role: Role): number => roles.indexOf(role);

const ownRole = (signedIn?.user.role ?? 'guest') as Role;

/** Returns whether the user may give a role: none above their own. */
export const mayGive = (role: Role): boolean => rankOf(role) >= rankOf(ownRole);

/** What the user may do with another one. The service checks it again. */
export const rightsOf = ({ id, role }: Pick<User, 'id' | 'role'>) => {
  const isBelow = mayGive(role);
  return {
    isBelow,
    mayUpdate: may('users:update') && isBelow,
    mayDelete: may('users:delete') && isBelow && id !== signedIn?.user.id,
  };
};

/** Shows a user as they are now. */
export const showUser = (user: User): void => {
  list.items.value = list.items.value?.map((one) => (one.id === user.id ? user : one));
};
