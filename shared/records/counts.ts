import {
  type Count,
  type Counter,
  count,
  defineCounter,
  readCounter,
} from '../counters/counter.ts';
import { inTotal, readTotal } from '../counters/total.ts';
import type { KeyFamily } from '../db/key.ts';

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

/**
 * Defines the counter of records that everyone sees. Its shards are neighbors, because a list reads all of them: one
 * partition takes as many as that of the list of these records.
 */
export const countEveryones = (
  kind: 'documents' | 'files',
  family: KeyFamily<unknown, { readonly shard: number }>,
): Counter<unknown> =>
  defineCounter({ family, shards: 16, describe: () => `${kind} visible to everyone` });

/**
 * Creates the counts of a kind. `ofUser` counts the records that a user sees without being everyone's, and `ofEveryone`
 * those, as `seen`.
 */
export const createVisibleCounts = (
  kind: 'documents' | 'files',
  ofUser: Counter<{ readonly userId: number }>,
  ofEveryone: Counter<unknown>,
): VisibleCounts => ({
  list: ({ ownerId, visibility, sharedWith }) => {
    if (visibility === 'everyone') return [inTotal(kind), count(ofEveryone, {}, { seen: 1 })];
    const users = [...new Set([ownerId, ...sharedWith])];
    return [inTotal(kind), ...users.map((userId) => count(ofUser, { userId }, { seen: 1 }))];
  },
  // The list of all is read from the index, which may lag too.
  countAll: () => readTotal(kind, { isEventual: true }),
  countVisible: async (userId) => {
    const counts = await Promise.all([
      readCounter(ofUser, { userId }),
      readCounter(ofEveryone, {}),
    ]);
    return counts.reduce((sum, { seen = 0 }) => sum + seen, 0);
  },
});
