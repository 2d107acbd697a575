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
import { exportedShareFilters, ShareExportQuery } from './export-query.ts';

const forbidden =
  'Without `mine=true`, the permission `shares:export` or `shares:manage` is missing.';

const partRoute = route({
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
  errors: { FORBIDDEN: forbidden },
  limits: exportLimits,
  auditAction: 'share.export',
  handle: async ({ actor, ...request }) => {
    const [{ exportList }, { openShareExport }] = await Promise.all([
      import('../../../shared/exports/export-list.ts'),
      import('./export.ts'),
    ]);
    return exportList(await openShareExport(actor, request.query), request);
  },
});

const fileRoute = route({
  endpoint: 'POST /api/shares/export',
  access: 'signed-in',
  scope: 'shares:view',
  summary: 'Export all shares',
  description:
    'Makes a file of up to 250,000 shares by the rules of `GET /api/shares/export`. You are notified, and `POST /api/users/me/exports/{id}/download` has it for 7 days. An equal one that waits is returned.',
  status: 202,
  query: ShareExportQuery,
  readsList: () => true,
  output: ExportResponse,
  errors: { FORBIDDEN: forbidden, CONFLICT: tooManyExports },
  limits: exportLimits,
  auditAction: 'share.export',
  handle: async ({ actor, ...request }) => {
    const [{ orderList }, { openShareExport }] = await Promise.all([
      import('../../../shared/exports/order-list.ts'),
      import('./export.ts'),
    ]);
    return orderList('shares', await openShareExport(actor, request.query), { actor, ...request });
  },
});

/** Shares as a file: part by part in responses, or as a whole by the service. */
export const exportRoutes = [partRoute, fileRoute];
