import type * as z from 'zod';
import { type Column, fieldColumns } from '../../../shared/exports/columns.ts';
import { type ListText, type TextOptions, toListText } from '../../../shared/exports/list-text.ts';
import { listPage, type SaleFilter } from './list.ts';
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

/** Writes the sales of a filter as lines of a file. */
export const saleText = (callerId: number, filter: SaleFilter, options: TextOptions): ListText =>
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
