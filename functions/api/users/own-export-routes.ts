import * as z from 'zod';
import { RecordId } from '../../../shared/db/ids.ts';
import {
  Export,
  ExportResponse,
  exampleExport,
  toExport,
} from '../../../shared/exports/export-record.ts';
import { Deleted, Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { optional } from '../../../shared/input/fields.ts';
import { ownPasswordLimit } from './limits.ts';

const DownloadInput = z
  .object({
    currentPassword: optional(z.string().max(256), (text) => text === '').meta({
      description:
        'Your password. Required for your own data if you signed in over 15 minutes ago and have no second factor.',
    }),
  })
  .meta({ id: 'DownloadExportInput', examples: [{ currentPassword: 'correct horse' }] });

const ExportDownload = Success(
  z.object({
    url: z.url(),
    expiresAt: z.iso.datetime().meta({ description: 'Until when the download can begin.' }),
  }),
).meta({
  id: 'ExportDownload',
  examples: [
    success({
      url: 'https://files.example.com/exports/244212480000000/244212480000001?X-Amz-Expires=60',
      expiresAt: '2026-11-22T12:05:00.000Z',
    }),
  ],
});

const ExportList = Success(z.array(Export)).meta({
  id: 'ExportList',
  examples: [success([exampleExport])],
});

const params = z.object({ id: RecordId });

/** The routes of the files that the service makes for the caller: all of the caller's own data, and lists. */
export const exportRoutes = [
  route({
    endpoint: 'POST /api/users/me/export',
    access: 'session',
    summary: 'Export your own data',
    description:
      'Asks for a ZIP file of all that is yours: shares with their files and revisions, documents, files, messages, calendar, audit entries and profile. The service makes it in the minutes that follow and tells you by email and by a notification; it is kept for 7 days. Once an hour. While one is yet to be made, it is returned again.',
    status: 202,
    output: ExportResponse,
    errors: { CONFLICT: '5 of your exports are waiting or being made.' },
    auditAction: 'export.create',
    handle: async ({ actor, recorder }) => {
      const { orderExport } = await import('../../../shared/exports/order-export.ts');
      const ordered = await orderExport(actor, { kind: 'own-data', format: 'zip' }, recorder);
      return success(toExport(ordered), 'We’ll email you when it’s ready.');
    },
  }),
  route({
    endpoint: 'GET /api/users/me/exports',
    access: 'session',
    summary: 'List your exports',
    description:
      'Returns your exports, newest first: your own data, and lists that the service makes. Up to 20 are kept, each for 7 days.',
    output: ExportList,
    handle: async ({ actor }) => {
      const { listExports } = await import('../../../shared/exports/export-store.ts');
      return success((await listExports(actor.user.id)).map(toExport));
    },
  }),
  route({
    endpoint: 'POST /api/users/me/exports/{id}/download',
    access: 'session',
    summary: 'Download an export',
    description:
      'Returns an address at which the file can be downloaded, which must begin within 60 seconds. Your own data takes a proof of who you are of the last 15 minutes, a list the permissions that it took.',
    params,
    body: DownloadInput,
    output: ExportDownload,
    errors: {
      FORBIDDEN:
        'An API token is used, or a permission of the list is missing; with the code `REAUTHENTICATION_REQUIRED`, you must prove again who you are.',
      CONFLICT: 'The export is not ready.',
    },
    limits: [ownPasswordLimit],
    auditAction: 'export.download',
    handle: async ({ actor, params: { id }, body, recorder }) => {
      const { downloadExport } = await import('./exports/download.ts');
      return success(await downloadExport(actor, id, body.currentPassword, recorder));
    },
  }),
  route({
    endpoint: 'DELETE /api/users/me/exports/{id}',
    access: 'session',
    summary: 'Delete an export',
    description: 'Ends one that is yet to be made, and deletes the file of one that is ready.',
    params,
    output: Deleted,
    auditAction: 'export.delete',
    handle: async ({ actor, params: { id }, recorder }) => {
      const { removeExport } = await import('./exports/remove.ts');
      await removeExport(actor.user.id, id, recorder);
      return success({ id }, 'Deleted');
    },
  }),
];
