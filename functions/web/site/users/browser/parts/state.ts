import { type Role, roles } from '../../../../../../shared/permissions/permissions.ts';
import type { Item } from '../../../../browser/client/endpoints.ts';
import { createRecords, createUrlList } from '../../../../browser/data/record-list.ts';
import { api } from '../../../../browser/shell/api.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import { parseView, toUrl, type View } from '../../view.ts';

export type User = Item<'GET /api/users'>;

export const pageSize = 25;

export const { url, view, list, selection } = createUrlList<View, User>({
  parse: parseView,
  toUrl,
  getFormOf: ({ tab, open }) => [tab, open],
  getList: ({ search, role, status, sort }) => [search, role, status, sort],
  read: async ({ search, role, status, sort }, start) => {
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
  },
});

/** The users as they were last read or saved on the page. */
export const records = createRecords(list.items);

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
