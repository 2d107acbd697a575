import type * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { type Column, fieldColumns } from '../../../shared/exports/columns.ts';
import { type ListText, type TextOptions, toListText } from '../../../shared/exports/list-text.ts';
import { type AuditFilter, find, loadPage } from './audit.ts';
import { type AuditExportQuery, toFilter } from './list-query.ts';
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

const auditText = (callerId: number, filter: AuditFilter, options: TextOptions): ListText =>
  toListText(
    {
      name: 'audit',
      row: Entry,
      columns: auditColumns,
      read: async (page) => {
        const { items, nextCursor } = await loadPage(await find(callerId, filter, page));
        return { items: items.map(toResponse), nextCursor };
      },
    },
    options,
  );

/**
 * Opens the list of audit entries to take it out.
 * @throws AppError FORBIDDEN without a permission
 */
export const openAuditExport = async (
  actor: Actor,
  query: z.output<typeof AuditExportQuery>,
): Promise<ListText> => {
  assertMayView(actor, 'audit:export', 'audit:view');
  return auditText(actor.user.id, toFilter(query), query);
};
