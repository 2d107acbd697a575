import { type Count, count, defineCounter, readCounter } from './counter.ts';
import { counterKeys } from './keys.ts';

/** What is counted in total. */
export type CountedKind =
  | 'users'
  | 'activeUsers'
  | 'shares'
  | 'documents'
  | 'files'
  | 'messages'
  | 'pendingTasks'
  | 'sales'
  /** Users created in a month (UTC), such as `newUsersOf202611`. */
  | `newUsersOf${string}`;

/**
 * All totals. Those of a shard are in one item, so that a record in several of them changes one item, and reading all of
 * them costs as much as reading one. An item takes 500 transactions a second, but concurrent ones conflict; 16 take 8,000
 * and seldom do.
 */
export const totals = defineCounter({
  family: counterKeys.total,
  shards: 16,
  describe: () => 'totals',
});

/** Counts a record in a total. */
export const inTotal = (counted: CountedKind): Count => count(totals, {}, { [counted]: 1 });

/** Reads exact totals in one round trip. `isEventual` halves the cost, and may miss changes of the last moment. */
export const readTotals = async <const Kind extends CountedKind>(
  counted: readonly Kind[],
  options: { readonly isEventual?: true } = {},
): Promise<Readonly<Record<Kind, number>>> => {
  const sums = await readCounter(totals, {}, options);
  return Object.fromEntries(counted.map((kind) => [kind, sums[kind] ?? 0])) as Record<Kind, number>;
};

/** Reads an exact total, as `readTotals`. */
export const readTotal = async (
  counted: CountedKind,
  options: { readonly isEventual?: true } = {},
): Promise<number> => (await readCounter(totals, {}, options))[counted] ?? 0;
