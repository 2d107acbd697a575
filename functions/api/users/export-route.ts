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
import { UserExportQuery, userFilters } from './list-query.ts';

const partRoute = route({
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
    const [{ exportList }, { openUserExport }] = await Promise.all([
      import('../../../shared/exports/export-list.ts'),
      import('./export.ts'),
    ]);
    return exportList(await openUserExport(actor, request.query), request);
  },
});

const fileRoute = route({
  endpoint: 'POST /api/users/export',
  access: 'users:export',
  summary: 'Export all users',
  description:
    'Makes a file of up to 250,000 users by the rules of `GET /api/users/export`. You are notified, and `POST /api/users/me/exports/{id}/download` has it for 7 days. An equal one that waits is returned.',
  status: 202,
  query: UserExportQuery,
  readsList: () => true,
  output: ExportResponse,
  errors: {
    UNPROCESSABLE: 'The `search` matches more than 1,000 users.',
    CONFLICT: tooManyExports,
  },
  limits: exportLimits,
  auditAction: 'user.export',
  handle: async ({ actor, ...request }) => {
    const [{ orderList }, { openUserExport }] = await Promise.all([
      import('../../../shared/exports/order-list.ts'),
      import('./export.ts'),
    ]);
    return orderList('users', await openUserExport(actor, request.query), { actor, ...request });
  },
});

/** A list as a file: part by part in responses, or as a whole by the service. */
export const exportRoutes = [partRoute, fileRoute];
