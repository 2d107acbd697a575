import * as z from 'zod';
import { exportHeaders, exportLimits, exportQuery } from '../../../shared/exports/export-query.ts';
import { Representation } from '../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../shared/http/route.ts';
import { openUserExport } from './list-export.ts';
import { userFilters } from './list-query.ts';

export const exportRoute = route({
  endpoint: 'GET /api/users/export',
  access: 'users:export',
  summary: 'Export users',
  description:
    'Returns users as a file, with the filters of the list: up to 10,000, or 4 MB. If more follow, `X-Next-Cursor` and `Link` name the next part, and without `cursor` the last line says so. It also takes `users:view`. A search must match at most 1,000.',
  query: z.object({ ...exportQuery, ...userFilters }),
  headers: exportHeaders,
  output: Representation,
  produces: 'rows',
  errors: { UNPROCESSABLE: 'The `search` matches more than 1,000 users.' },
  limits: exportLimits,
  auditAction: 'user.export',
  handle: async ({ actor, ...request }) => {
    const list = await openUserExport(actor, request.query);
    const { exportList } = await import('../../../shared/exports/export-list.ts');
    return exportList(list, request);
  },
});
