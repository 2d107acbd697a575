import * as z from 'zod';
import { exportHeaders, exportLimits, exportQuery } from '../../../shared/exports/export-query.ts';
import { Representation } from '../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../shared/http/route.ts';
import { openAuditExport } from './list-export.ts';
import { auditFilters } from './list-query.ts';

export const exportRoute = route({
  endpoint: 'GET /api/audit/export',
  access: 'audit:export',
  summary: 'Export the audit log',
  description:
    'Returns audit entries as a file, with the filters of the list: up to 10,000, or 4 MB. If more follow, `X-Next-Cursor` and `Link` name the next part, and without `cursor` the last line says so. It also takes `audit:view`.',
  query: z.object({ ...exportQuery, ...auditFilters }),
  headers: exportHeaders,
  output: Representation,
  produces: 'rows',
  limits: exportLimits,
  auditAction: 'audit.export',
  handle: async ({ actor, ...request }) => {
    const list = await openAuditExport(actor, request.query);
    const { exportList } = await import('../../../shared/exports/export-list.ts');
    return exportList(list, request);
  },
});
