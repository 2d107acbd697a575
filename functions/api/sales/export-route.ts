import * as z from 'zod';
import { exportHeaders, exportLimits, exportQuery } from '../../../shared/exports/export-query.ts';
import { Representation } from '../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../shared/http/route.ts';
import { openSaleExport } from './list-export.ts';
import { saleFilters } from './list-query.ts';

export const exportRoute = route({
  endpoint: 'GET /api/sales/export',
  access: 'sales:export',
  summary: 'Export sales',
  description:
    'Returns sales as a file, with the filters of the list: up to 10,000, or 4 MB. If more follow, `X-Next-Cursor` and `Link` name the next part, and without `cursor` the last line says so. It also takes `sales:view`. CSV has the columns that an import reads: of a sale with a `day`, `soldAt` is that day.',
  query: z.object({ ...exportQuery, ...saleFilters }),
  headers: exportHeaders,
  output: Representation,
  produces: 'rows',
  limits: exportLimits,
  auditAction: 'sale.export',
  handle: async ({ actor, ...request }) => {
    const list = await openSaleExport(actor, request.query);
    const { exportList } = await import('../../../shared/exports/export-list.ts');
    return exportList(list, request);
  },
});
