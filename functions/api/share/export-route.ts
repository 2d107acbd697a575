import * as z from 'zod';
import { exportHeaders, exportLimits, exportQuery } from '../../../shared/exports/export-query.ts';
import { Representation } from '../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../shared/http/route.ts';
import { exportedShareFilters, openShareExport } from './list-export.ts';

export const exportRoute = route({
  endpoint: 'GET /api/shares/export',
  access: 'signed-in',
  scope: 'shares:view',
  summary: 'Export shares',
  description:
    'Returns your shares as a file with `mine=true`, or else those of all users, with the filters of the lists and without content: up to 10,000, or 4 MB. If more follow, `X-Next-Cursor` and `Link` name the next part, and without `cursor` the last line says so. Those of all users take `shares:export` and `shares:manage`.',
  query: z.object({ ...exportQuery, ...exportedShareFilters }),
  headers: exportHeaders,
  output: Representation,
  produces: 'rows',
  errors: {
    FORBIDDEN: 'Without `mine=true`, the permission `shares:export` or `shares:manage` is missing.',
  },
  limits: exportLimits,
  auditAction: 'share.export',
  handle: async ({ actor, ...request }) => {
    const list = await openShareExport(actor, request.query);
    const { exportList } = await import('../../../shared/exports/export-list.ts');
    return exportList(list, request);
  },
});
