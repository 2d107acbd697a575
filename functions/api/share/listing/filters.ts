import * as z from 'zod';
import { idText } from '../../../../shared/db/ids.ts';
import { assertSingleFilter, emptyAsUndefined } from '../../../../shared/lists/filters.ts';
import type { PageRequest } from '../../../../shared/lists/pagination.ts';
import { sortBy } from '../../../../shared/lists/sort.ts';
import { filteredStatuses, type ShareFilter } from './listing.ts';

/** The filter of a user's own shares. */
export const ownStatus = z
  .enum(filteredStatuses, 'must be active, ended or taken-down')
  .optional()
  .meta({
    description:
      'With `mine=true`, lists only shares with this status. A page can be short or empty: go on while there is a `nextCursor`.',
  });

/** The filters of the shares of all users, and their order. */
export const shareFilters = {
  ...sortBy(['createdAt']),
  reported: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: '`true` for shares waiting for a decision, longest waiting first.' }),
  ownerId: z.preprocess(
    emptyAsUndefined,
    idText('a user').optional().meta({ description: 'The id of the user who owns them.' }),
  ),
};

/** Returns the filter of a query. */
export const toShareFilter = ({
  reported,
  ownerId,
}: Omit<z.output<z.ZodObject<typeof shareFilters>>, 'sort'>): ShareFilter => ({
  reported: reported === 'true' || undefined,
  ownerId,
});

/**
 * Asserts that a filter can be listed.
 * @throws AppError VALIDATION_ERROR about a second filter, or an order of reported shares, which have a fixed one
 */
export const assertListable = (filter: ShareFilter, { sort }: PageRequest): void => {
  assertSingleFilter({ ...filter });
  assertSingleFilter({ reported: filter.reported, sort });
};
