import { type Count, type Counter, count, readCounters } from '../counters/counter.ts';
import { inTotal, readTotal } from '../counters/total.ts';

/** The numbers of records that lists show as their totals. */
export interface VisibleCounts {
  /** Lists what a record in the lists adds to counters. */
  list(record: {
    readonly ownerId: number;
    readonly visibility: 'private' | 'everyone';
    readonly sharedWith: readonly number[];
  }): Count[];
  /** Counts all records, for managers. */
  countAll(): Promise<number>;
  /** Counts the records that a user sees: the user's own, shared and public ones. */
  countVisible(userId: number): Promise<number>;
}

/** Creates the counts of a kind. `ofUser` counts the records that a user sees without being everyone's, as `seen`. */
export const createVisibleCounts = (
  kind: 'documents' | 'files',
  ofUser: Counter<{ readonly userId: number }>,
): VisibleCounts => ({
  list: ({ ownerId, visibility, sharedWith }) => {
    if (visibility === 'everyone') return [inTotal(kind), inTotal(`${kind}OfEveryone`)];
    const users = [...new Set([ownerId, ...sharedWith])];
    return [inTotal(kind), ...users.map((userId) => count(ofUser, { userId }, { seen: 1 }))];
  },
  // The list of all is read from the index, which may lag too.
  countAll: () => readTotal(kind, { isEventual: true }),
  countVisible: async (userId) => {
    const [[counts], publicCount] = await Promise.all([
      readCounters(ofUser, [{ userId }]),
      readTotal(`${kind}OfEveryone`),
    ]);
    return (counts?.['seen'] ?? 0) + publicCount;
  },
});
