import type * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { type Column, fieldColumns } from '../../../shared/exports/columns.ts';
import { type ListText, type TextOptions, toListText } from '../../../shared/exports/list-text.ts';
import { listPage, type SaleFilter } from './list.ts';
import { type SaleExportQuery, toFilter } from './list-query.ts';
import { Sale, toResponse } from './schemas.ts';
import { textFieldNames } from './text-fields.ts';

type ShownSale = z.output<typeof Sale>;

/** The columns of a file of sales: first those that an import reads. */
export const saleColumns: readonly Column<ShownSale>[] = [
  ...fieldColumns<ShownSale>('amount', 'cost', 'currency', ...textFieldNames),
  ['soldAt', ({ soldAt, day }) => day ?? soldAt],
  ...fieldColumns<ShownSale>('externalId', 'refundedAt', 'id'),
  ...fieldColumns<ShownSale>('createdAt', 'updatedAt', 'version'),
];

const saleText = (callerId: number, filter: SaleFilter, options: TextOptions): ListText =>
  toListText(
    {
      name: 'sales',
      row: Sale,
      columns: saleColumns,
      read: async (page) => {
        const { items, nextCursor } = await listPage(callerId, filter, page);
        return { items: items.map(toResponse), nextCursor };
      },
    },
    options,
  );

/**
 * Opens the list of sales to take it out.
 * @throws AppError FORBIDDEN without a permission
 */
export const openSaleExport = async (
  actor: Actor,
  query: z.output<typeof SaleExportQuery>,
): Promise<ListText> => {
  assertMayView(actor, 'sales:export', 'sales:view');
  return saleText(actor.user.id, toFilter(query), query);
};
