import type { Write } from '../../../shared/db/transaction.ts';

/** What a transaction changes, without the entries of the audit that note it. */
export const withoutAudit = (writes: readonly Write[]): readonly Write[] =>
  writes.filter(({ Put }) => !String(Put?.Item?.['pk']).startsWith('AUDIT#'));
