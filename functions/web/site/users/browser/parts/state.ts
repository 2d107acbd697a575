import { signal } from '@preact/signals';
import { covers } from '../../../../../../shared/permissions/permissions.ts';
import { isBuiltIn, reaches } from '../../../../../../shared/permissions/roles.ts';
import type { Item } from '../../../../browser/client/endpoints.ts';
import { createRecords, createUrlList } from '../../../../browser/data/record-list.ts';
import { api } from '../../../../browser/shell/api.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import { parseView, toQuery, toUrl, type View } from '../../view.ts';
import { customRoles, grantsOf } from './role-list.ts';

export type User = Item<'GET /api/users'>;

export const pageSize = 25;

export const { url, view, list, selection } = createUrlList<View, User>({
  parse: parseView,
  toUrl,
  getFormOf: ({ tab, open, openRole }) => [tab, open, openRole],
  getList: ({ search, role, status, sort }) => [search, role, status, sort],
  read: async (shown, start) => {
    const query = { ...toQuery(shown), pageSize, ...start };
    const page = await api.call('GET /api/users', { query });
    if (!('items' in page)) throw new Error('The API returned no page');
    return page;
  },
});

/** The users as they were last read or saved on the page. */
export const records = createRecords(list.items);

/** How far an import is; `undefined` without one. */
export const importing = signal<{ readonly done: number; readonly count: number } | undefined>(
  undefined,
);

const ownRole = signedIn?.user.role ?? 'guest';

/** Returns whether a role ranks no higher than the user’s own. */
const isWithinRank = (role: string): boolean => reaches(ownRole, role, customRoles.value);

/** Returns whether the user may give a role: none above their own, and none that may do more, if one of both is custom. */
export const mayGive = (role: string): boolean => {
  if (!isWithinRank(role)) return false;
  if (isBuiltIn(role) && isBuiltIn(ownRole)) return true;
  return grantsOf(role).every((entry) => covers(signedIn?.permissions ?? [], entry));
};

/** What the user may do with another one. The service checks it again. */
export const rightsOf = ({ id, role }: Pick<User, 'id' | 'role'>) => {
  const isBelow = isWithinRank(role);
  return {
    isBelow,
    mayUpdate: may('users:update') && isBelow,
    mayDelete: may('users:delete') && isBelow && id !== signedIn?.user.id,
  };
};
