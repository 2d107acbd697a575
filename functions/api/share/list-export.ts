import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { fileOptions } from '../../../shared/exports/export-query.ts';
import type { ListText } from '../../../shared/exports/list-text.ts';
import { emptyAsUndefined } from '../../../shared/lists/filters.ts';
import { audiences } from '../../../shared/permissions/audiences.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { assertListable, ownStatus, shareFilters, toShareFilter } from './listing/filters.ts';

/** The filters of your own shares and of those of all users. */
export const exportedShareFilters = {
  mine: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: '`true` exports your own shares, otherwise those of all users.' }),
  status: ownStatus,
  search: z.string().max(200).optional().meta({
    description: 'With `mine=true`, words that are in the title or the description.',
  }),
  audience: z
    .preprocess(
      emptyAsUndefined,
      z.enum(audiences, `must be one of ${audiences.join(', ')}`).optional(),
    )
    .meta({ description: 'With `mine=true`, who can open them.' }),
  ...shareFilters,
};

/** What a file of shares is asked for with. */
export const ShareExportQuery = z.object({ ...fileOptions, ...exportedShareFilters });

type Query = z.output<typeof ShareExportQuery>;

/** Asserts that no filter is of the other list. */
const assertOwnFilters = (query: Query, names: readonly (keyof Query)[], rule: string): void => {
  const other = names.find((name) => query[name] !== undefined);
  if (other !== undefined) throw invalidField(other, rule);
};

/**
 * Opens the list of the actor's own shares, or of those of all users, to take it out.
 * @throws AppError FORBIDDEN without a permission; VALIDATION_ERROR about a filter
 */
export const openShareExport = async (actor: Actor, query: Query): Promise<ListText> => {
  if (query.mine === 'true') {
    assertOwnFilters(query, ['reported', 'ownerId'], 'cannot be combined with mine');
    const { ownShareText } = await import('./export.ts');
    return ownShareText(actor, query, query);
  }
  assertMayView(actor, 'shares:export', 'shares:manage');
  assertOwnFilters(query, ['status', 'search', 'audience'], 'takes mine=true');
  const filter = toShareFilter(query);
  assertListable(filter, query);
  const { managedShareText } = await import('./export.ts');
  return managedShareText(actor.user.id, filter, query);
};
