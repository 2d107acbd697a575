import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { fileOptions } from '../../../shared/exports/export-query.ts';
import type { ListText } from '../../../shared/exports/list-text.ts';
import { assertKnownRole, toFilter, userFilters } from './list-query.ts';

/** What a file of users is asked for with. */
export const UserExportQuery = z.object({ ...fileOptions, ...userFilters });

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
  const { userText } = await import('./export.ts');
  return userText(actor, toFilter(query), query);
};
