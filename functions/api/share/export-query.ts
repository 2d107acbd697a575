import * as z from 'zod';
import { fileOptions } from '../../../shared/exports/export-query.ts';
import { emptyAsUndefined } from '../../../shared/lists/filters.ts';
import { audiences } from '../../../shared/permissions/audiences.ts';
import { ownStatus, shareFilters } from './listing/filters.ts';

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
