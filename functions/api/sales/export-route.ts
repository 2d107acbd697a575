import * as z from 'zod';
import {
  exportHeaders,
  exportLimits,
  exportQuery,
  tooManyExports,
} from '../../../shared/exports/export-query.ts';
import { ExportResponse } from '../../../shared/exports/export-record.ts';
import { Representation } from '../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../shared/http/route.ts';
import { SaleExportQuery, saleFilters } from './list-query.ts';

const partRoute = route({
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
    const [{ exportList }, { openSaleExport }] = await Promise.all([
      import('../../../shared/exports/export-list.ts'),
      import('./export.ts'),
    ]);
    return exportList(await openSaleExport(actor, request.query), request);
  },
});

const fileRoute = route({
  endpoint: 'POST /api/sales/export',
  access: 'sales:export',
  summary: 'Export all sales',
  description:
    'Makes a file of up to 250,000 sales by the rules of `GET /api/sales/export`. You are notified, and `POST /api/users/me/exports/{id}/download` has it for 7 days. An equal one that waits is returned.',
  status: 202,
  query: SaleExportQuery,
  readsList: () => true,
  output: ExportResponse,
  errors: { CONFLICT: tooManyExports },
  limits: exportLimits,
  auditAction: 'sale.export',
  handle: async ({ actor, ...request }) => {
    const [{ orderList }, { openSaleExport }] = await Promise.all([
      import('../../../shared/exports/order-list.ts'),
      import('./export.ts'),
    ]);
    return orderList('sales', await openSaleExport(actor, request.query), { actor, ...request });
  },
});

/** A list as a file: part by part in responses, or as a whole by the service. */
export const exportRoutes = [partRoute, fileRoute];
