import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { statuses } from '../../../shared/auth/user.ts';
import { fileOptions } from '../../../shared/exports/export-query.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { isBuiltIn } from '../../../shared/permissions/roles.ts';
import { assertRoleExists, readRolesFrom } from './grants.ts';
import type { UserFilter } from './list.ts';

/** Turns values that mean no filter into `undefined` (decisions.md#lists). */
const allAsUndefined = (value: unknown) => (value === 'all' || value === '' ? undefined : value);

/** The filters of the list, and its order. */
export const userFilters = {
  search: z.string().max(200).optional().meta({
    description:
      'Finds users whose name, username or email address has words that start with each of these, ignoring case and accents.',
  }),
  role: z.preprocess(allAsUndefined, z.string().max(32).optional()).meta({
    description: 'The name of a role, as in `GET /api/roles`.',
  }),
  status: z.preprocess(
    allAsUndefined,
    z.enum(statuses, `must be one of ${statuses.join(', ')}`).optional(),
  ),
  ...sortBy(['createdAt', 'name']),
};

/** The query of `GET /api/users`. */
export const UserQuery = z.object({ ...pageQuery, ...userFilters });

/** What a file of users is asked for with. */
export const UserExportQuery = z.object({ ...fileOptions, ...userFilters });

/** Returns the filter of a query. */
export const toFilter = ({
  search,
  role,
  status,
  sort,
}: z.output<z.ZodObject<typeof userFilters>>): UserFilter => ({
  search: search || undefined,
  role,
  status,
  sort: sort?.by ?? 'createdAt',
});

/**
 * Asserts that the role of a filter exists.
 * @throws AppError VALIDATION_ERROR about `role`
 */
export const assertKnownRole = async (actor: Actor, role: string | undefined): Promise<void> => {
  if (role === undefined || isBuiltIn(role)) return;
  assertRoleExists(role, await readRolesFrom(actor, role));
};
