import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertMayView } from '../../../shared/exports/assert-may-view.ts';
import { fileOptions } from '../../../shared/exports/export-query.ts';
import type { ListText } from '../../../shared/exports/list-text.ts';
import { auditFilters, toFilter } from './list-query.ts';

/** What a file of audit entries is asked for with. */
export const AuditExportQuery = z.object({ ...fileOptions, ...auditFilters });

/**
 * Opens the list of audit entries to take it out.
 * @throws AppError FORBIDDEN without a permission
 */
export const openAuditExport = async (
  actor: Actor,
  query: z.output<typeof AuditExportQuery>,
): Promise<ListText> => {
  assertMayView(actor, 'audit:export', 'audit:view');
  const { auditText } = await import('./export.ts');
  return auditText(actor.user.id, toFilter(query), query);
};
