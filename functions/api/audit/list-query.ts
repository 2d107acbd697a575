import * as z from 'zod';
import { idText } from '../../../shared/db/ids.ts';
import { fileOptions } from '../../../shared/exports/export-query.ts';
import { emptyAsUndefined, isTrue } from '../../../shared/lists/filters.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { timeBounds } from '../../../shared/lists/time-bounds.ts';
import type { AuditFilter } from './audit.ts';

/** The filters of the list, and its order. */
export const auditFilters = {
  ...sortBy(['at']),
  actor: z.preprocess(
    emptyAsUndefined,
    idText('a user').optional().meta({ description: 'The id of the user who made the changes.' }),
  ),
  subject: z.preprocess(
    emptyAsUndefined,
    z
      .string()
      .trim()
      .regex(/^[a-z]+:[\w-]{1,64}$/, 'must be a subject, for example user:123')
      .optional()
      .meta({
        description:
          'What was changed, such as `user:123`. Entries about sessions and passwords have their user; sign-ins with an unknown address have `user:unknown`.',
      }),
  ),
  action: z.preprocess(
    emptyAsUndefined,
    z
      .string()
      .trim()
      .regex(/^[a-z]+\.[a-z-]{1,40}$/, 'must be an action, for example user.update')
      .optional()
      .meta({
        description:
          'What was done, such as `user.update`. A page by action may have fewer entries than `pageSize`, or none, and still a `nextCursor`.',
      }),
  ),
  ...timeBounds('Done'),
};

/** The query of `GET /api/audit`. */
export const AuditQuery = z.object({
  ...pageQuery,
  ...auditFilters,
  count: isTrue.meta({
    description:
      'Counts the entries, up to 1,000. Without it, `total` is the least number that the page shows.',
  }),
});

/** What a file of audit entries is asked for with. */
export const AuditExportQuery = z.object({ ...fileOptions, ...auditFilters });

/** Returns the filter of a query. */
export const toFilter = ({
  actor,
  subject,
  action,
  from,
  to,
}: z.output<z.ZodObject<typeof auditFilters>>): AuditFilter => ({
  actor,
  subject,
  action,
  from,
  to,
});
