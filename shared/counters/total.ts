import { type Count, count, defineCounter, readCounters } from './counter.ts';
import { counterKeys } from './keys.ts';

/** What is counted in total. */
export type CountedKind =
  | 'users'
  | 'active-users'
  | 'shares'
  | 'documents'
  | 'documents-of-everyone'
  | 'files'
  | 'files-of-everyone'
  | 'messages'
  | 'pending-tasks'
  | 'sales';

/** The totals. One item allows 1,000 writes per second and its transactions conflict, so they have shards. */
export const totals = defineCounter({
  family: counterKeys.total,
  shards: 16,
  describe: ({ counted }) => `total of ${counted}`,
});

/** Counts a record in a total. */
export const inTotal = (counted: CountedKind): Count => count(totals, { counted }, { count: 1 });

/** Reads an exact total in one round trip. */
export const readTotal = async (counted: CountedKind): Promise<number> => {
  const [total] = await readCounters(totals, [{ counted }]);
  return total?.['count'] ?? 0;
};
