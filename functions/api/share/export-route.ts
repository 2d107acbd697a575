import * as z from 'zod';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { exportHeaders, exportLimits, exportQuery } from '../../../shared/exports/export-query.ts';
import { Representation } from '../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../shared/http/route.ts';
import { emptyAsUndefined } from '../../../shared/lists/filters.ts';
import { audiences } from '../../../shared/permissions/audiences.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { assertListable, ownStatus, shareFilters, toShareFilter } from './listing/filters.ts';

const ShareExportQuery = z.object({
  ...exportQuery,
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
});

/** Asserts that no filter is of the other list. */
const assertOwnFilters = (
  query: z.output<typeof ShareExportQuery>,
  names: readonly (keyof z.output<typeof ShareExportQuery>)[],
  rule: string,
): void => {
  const other = names.find((name) => query[name] !== undefined);
  if (other !== undefined) throw invalidField(other, rule);
};

export const exportRoute = route({
  endpoint: 'GET /api/shares/export',
  access: 'signed-in',
  scope: 'shares:view',
  summary: 'Export shares',
  description:
    'Returns your shares as a file with `mine=true`, or else those of all users, with the filters of the lists and without content: up to 10,000, or 4 MB. If more follow, `X-Next-Cursor` and `Link` name the next part, and without `cursor` the last line says so. Those of all users take `shares:export` and `shares:manage`.',
  query: ShareExportQuery,
  headers: exportHeaders,
  output: Representation,
  produces: 'rows',
  errors: {
    FORBIDDEN: 'Without `mine=true`, the permission `shares:export` or `shares:manage` is missing.',
  },
  limits: exportLimits,
  auditAction: 'share.export',
  handle: async ({ actor, ...request }) => {
    const { query } = request;
    if (query.mine === 'true') {
      assertOwnFilters(query, ['reported', 'ownerId'], 'cannot be combined with mine');
      const { exportOwnShares } = await import('./export.ts');
      return exportOwnShares(actor, query, request);
    }
    assertMayView(actor, 'shares:export', 'shares:manage');
    assertOwnFilters(query, ['status', 'search', 'audience'], 'takes mine=true');
    const filter = toShareFilter(query);
    assertListable(filter, query);
    const { exportAllShares } = await import('./export.ts');
    return exportAllShares(actor.user.id, filter, request);
  },
});
