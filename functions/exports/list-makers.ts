import type * as z from 'zod';
import type { Actor } from '../../shared/auth/actor.ts';
import type { ListKind } from '../../shared/exports/export-kinds.ts';
import type { ExportMaker } from '../../shared/exports/export-maker.ts';
import { writeListFile } from '../../shared/exports/list-file.ts';
import type { ListText } from '../../shared/exports/list-text.ts';
import { openAuditExport } from '../api/audit/export.ts';
import { AuditExportQuery } from '../api/audit/list-query.ts';
import { openSaleExport } from '../api/sales/export.ts';
import { SaleExportQuery } from '../api/sales/list-query.ts';
import { openShareExport } from '../api/share/export.ts';
import { ShareExportQuery } from '../api/share/export-query.ts';
import { openUserExport } from '../api/users/export.ts';
import { UserExportQuery } from '../api/users/list-query.ts';

/** Creates what makes the file of a list from the query that its route accepted. */
const listMaker = <Query extends z.ZodType>(
  kind: ListKind,
  query: Query,
  open: (actor: Actor, query: z.output<Query>) => Promise<ListText>,
): ExportMaker => ({
  kind,
  async *make(actor, order, notes) {
    const asked = query.parse(Object.fromEntries(new URLSearchParams(order.query)));
    yield* writeListFile(await open(actor, asked), notes);
  },
});

/** How the file of each list is made. */
export const listMakers: readonly ExportMaker[] = [
  listMaker('users', UserExportQuery, openUserExport),
  listMaker('sales', SaleExportQuery, openSaleExport),
  listMaker('audit', AuditExportQuery, openAuditExport),
  listMaker('shares', ShareExportQuery, openShareExport),
];
