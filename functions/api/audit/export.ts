import type * as z from 'zod';
import { type Column, fieldColumns } from '../../../shared/exports/columns.ts';
import { type ListText, type TextOptions, toListText } from '../../../shared/exports/list-text.ts';
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

/** Writes the audit entries of a filter as lines of a file. */
export const auditText = (callerId: number, filter: AuditFilter, options: TextOptions): ListText =>
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
