import * as z from 'zod';
import { fileOptions } from '../../../shared/exports/export-query.ts';
import { oneLine } from '../../../shared/input/fields.ts';
import { emptyAsUndefined } from '../../../shared/lists/filters.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import type { SaleFilter } from './list.ts';
import { soldBounds } from './sold-at.ts';
import { textFields } from './text-fields.ts';

const text = (max: number) => z.preprocess(emptyAsUndefined, oneLine(max).optional());

/** The filters of the list, and its order. */
export const saleFilters = {
  ...sortBy(['soldAt']),
  category: text(textFields.category),
  customer: text(textFields.customer),
  ...soldBounds,
};

/** The query of `GET /api/sales`. */
export const SaleQuery = z.object({ ...pageQuery, ...saleFilters });

/** What a file of sales is asked for with. */
export const SaleExportQuery = z.object({ ...fileOptions, ...saleFilters });

/** Returns the filter of a query. */
export const toFilter = ({
  category,
  customer,
  from,
  to,
}: z.output<z.ZodObject<typeof saleFilters>>): SaleFilter => ({
  category,
  customer,
  from,
  before: to,
});
