import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { fileOptions } from '../../../shared/exports/export-query.ts';
import type { ListText } from '../../../shared/exports/list-text.ts';
import { saleFilters, toFilter } from './list-query.ts';

/** What a file of sales is asked for with. */
export const SaleExportQuery = z.object({ ...fileOptions, ...saleFilters });

/**
 * Opens the list of sales to take it out.
 * @throws AppError FORBIDDEN without a permission
 */
export const openSaleExport = async (
  actor: Actor,
  query: z.output<typeof SaleExportQuery>,
): Promise<ListText> => {
  assertMayView(actor, 'sales:export', 'sales:view');
  const { saleText } = await import('./export.ts');
  return saleText(actor.user.id, toFilter(query), query);
};
