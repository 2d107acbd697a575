import type * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { toUser, User } from '../../../shared/auth/user.ts';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { type Column, fieldColumns } from '../../../shared/exports/columns.ts';
import { type ListText, type TextOptions, toListText } from '../../../shared/exports/list-text.ts';
import { refusedField } from '../../../shared/runtime/errors.ts';
import { readRolesFrom } from './grants.ts';
import { findPage, load, type UserFilter } from './list.ts';
import { assertKnownRole, toFilter, type UserExportQuery } from './list-query.ts';

/** The columns of a file of users. Those of an import are among them. */
export const userColumns: readonly Column<User>[] = [
  ...fieldColumns<User>('email', 'name', 'username', 'role', 'permissions', 'status'),
  ...fieldColumns<User>('phone', 'timezone', 'avatar', 'id', 'emailVerified'),
  ['emailProblem', ({ emailProblem }) => emailProblem?.reason],
  ...fieldColumns<User>('invited', 'createdAt', 'updatedAt', 'lastLoginAt', 'deletesAt', 'version'),
];

const userText = (actor: Actor, filter: UserFilter, options: TextOptions): ListText =>
  toListText(
    {
      name: 'users',
      row: User,
      columns: userColumns,
      read: async (page) => {
        const found = await findPage(actor.user.id, filter, page);
        if ('totalIsExact' in found && !found.totalIsExact) {
          throw refusedField('search', 'matches more than 1,000 users; narrow it');
        }
        const { items, nextCursor } = await load(found);
        const roles = await readRolesFrom(actor, ...items.map(({ role }) => role));
        return { items: items.map((user) => toUser(user, roles)), nextCursor };
      },
    },
    options,
  );

/**
 * Opens the list of users to take it out.
 * @throws AppError FORBIDDEN without a permission; VALIDATION_ERROR about `role`
 */
export const openUserExport = async (
  actor: Actor,
  query: z.output<typeof UserExportQuery>,
): Promise<ListText> => {
  assertMayView(actor, 'users:export', 'users:view');
  await assertKnownRole(actor, query.role);
  return userText(actor, toFilter(query), query);
};
