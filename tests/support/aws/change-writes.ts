import type { Write } from '../../../shared/db/transaction.ts';

/** Returns the writes of a transaction without its audit entries. */
export const withoutAudit = (writes: readonly Write[]): readonly Write[] =>
  writes.filter(({ Put }) => !String(Put?.Item?.['pk']).startsWith('AUDIT#'));
