import type * as z from 'zod';
import { type Column, fieldColumns } from '../../../shared/exports/columns.ts';
import { type ExportRequest, exportList } from '../../../shared/exports/export-list.ts';
import { type AuditFilter, find, loadPage } from './audit.ts';
import { Entry, toResponse } from './schemas.ts';

type ShownEntry = z.output<typeof Entry>;

const toJson = (fields: object | null): string | null => fields && JSON.stringify(fields);

/** The columns of a file of the audit log. */
export const auditColumns: readonly Column<ShownEntry>[] = [
  ...fieldColumns<ShownEntry>('at', 'action'),
  ['actorId', ({ actor }) => actor?.id],
  ['actor', ({ actor }) => actor?.name],
  ['tokenId', ({ token }) => token?.id],
  ['token', ({ token }) => token?.name],
  ['client', ({ via }) => via?.client],
  ['tool', ({ via }) => via?.tool],
  ...fieldColumns<ShownEntry>('subject', 'subjectName', 'address', 'requestId'),
  ['before', ({ before }) => toJson(before)],
  ['after', ({ after }) => toJson(after)],
  ...fieldColumns<ShownEntry>('id'),
];

/** Takes out the audit entries of a filter. */
export const exportAudit = (callerId: number, filter: AuditFilter, request: ExportRequest) =>
  exportList(
    {
      name: 'audit',
      row: Entry,
      columns: auditColumns,
      read: async (page) => {
        const { items, nextCursor } = await loadPage(await find(callerId, filter, page));
        return { items: items.map(toResponse), nextCursor };
      },
    },
    request,
  );
