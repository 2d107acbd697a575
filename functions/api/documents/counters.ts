import { userKeys } from '../../../shared/auth/keys.ts';
import {
  type Count,
  type Counted,
  count,
  defineCounter,
  readCounter,
} from '../../../shared/counters/counter.ts';
import { totals } from '../../../shared/counters/total.ts';
import { countEveryones, createVisibleCounts } from '../../../shared/records/counts.ts';
import type { StoredDocument } from './document.ts';
import { documentKeys } from './keys.ts';

/** A user's visible documents that are not everyone's (`seen`), and documents in the trash (`trashed`). */
const ofUser = defineCounter({
  family: documentKeys.counts,
  // Few writes change a user's counters concurrently, in contrast to the totals.
  shards: 4,
  describe: ({ userId }) => `documents of user ${userId}`,
  owner: ({ userId }) => userKeys.record.at({ id: userId }),
});

const ofEveryone = countEveryones('documents', documentKeys.publicCounts);

export const visible = createVisibleCounts('documents', ofUser, ofEveryone);

/** Lists what a document adds to counters. */
export const getCounts = (document: StoredDocument | undefined): Count[] => {
  if (!document) return [];
  const { authorId, deletedAt } = document;
  return deletedAt === undefined
    ? visible.list({ ...document, ownerId: authorId })
    : [count(ofUser, { userId: authorId }, { trashed: 1 })];
};

export const counted: readonly Counted[] = [
  { record: documentKeys.record, counters: [totals, ofUser, ofEveryone], of: getCounts },
];

/** Counts a user's documents in the trash. */
export const countTrashed = async (userId: number): Promise<number> =>
  (await readCounter(ofUser, { userId }))['trashed'] ?? 0;
