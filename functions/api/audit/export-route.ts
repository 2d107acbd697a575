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
import { AuditExportQuery, auditFilters } from './list-query.ts';

const partRoute = route({
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
    const [{ exportList }, { openAuditExport }] = await Promise.all([
      import('../../../shared/exports/export-list.ts'),
      import('./export.ts'),
    ]);
    return exportList(await openAuditExport(actor, request.query), request);
  },
});

const fileRoute = route({
  endpoint: 'POST /api/audit/export',
  access: 'audit:export',
  summary: 'Export the whole audit log',
  description:
    'Makes a file of up to 250,000 audit entries by the rules of `GET /api/audit/export`. You are notified, and `POST /api/users/me/exports/{id}/download` has it for 7 days. An equal one that waits is returned.',
  status: 202,
  query: AuditExportQuery,
  readsList: () => true,
  output: ExportResponse,
  errors: { CONFLICT: tooManyExports },
  limits: exportLimits,
  auditAction: 'audit.export',
  handle: async ({ actor, ...request }) => {
    const [{ orderList }, { openAuditExport }] = await Promise.all([
      import('../../../shared/exports/order-list.ts'),
      import('./export.ts'),
    ]);
    return orderList('audit', await openAuditExport(actor, request.query), { actor, ...request });
  },
});

/** A list as a file: part by part in responses, or as a whole by the service. */
export const exportRoutes = [partRoute, fileRoute];
