import { userKeys } from '../../../shared/auth/keys.ts';
import {
  type Count,
  type Counted,
  count,
  defineCounter,
  readCounters,
} from '../../../shared/counters/counter.ts';
import { inTotal, readTotal, totals } from '../../../shared/counters/total.ts';
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

/** Lists what a document adds to counters. */
export const getCounts = (document: StoredDocument | undefined): Count[] => {
  if (!document) return [];
  const { authorId, sharedWith, visibility, deletedAt } = document;
  if (deletedAt !== undefined) return [count(ofUser, { userId: authorId }, { trashed: 1 })];
  if (visibility === 'everyone') return [inTotal('documents'), inTotal('documents-of-everyone')];
  const users = new Set([authorId, ...sharedWith]);
  return [
    inTotal('documents'),
    ...[...users].map((userId) => count(ofUser, { userId }, { seen: 1 })),
  ];
};

export const counted: readonly Counted[] = [
  { record: documentKeys.record, counters: [totals, ofUser], of: getCounts },
];

/** Counts all documents, for managers. */
export const countAll = (): Promise<number> => readTotal('documents');

/** Counts the documents that a user sees: the user's own, shared and public ones. */
export const countVisible = async (userId: number): Promise<number> => {
  const [[counts], publicCount] = await Promise.all([
    readCounters(ofUser, [{ userId }]),
    readTotal('documents-of-everyone'),
  ]);
  return (counts?.['seen'] ?? 0) + publicCount;
};

/** Counts a user's documents in the trash. */
export const countTrashed = async (userId: number): Promise<number> =>
  (await readCounters(ofUser, [{ userId }]))[0]?.['trashed'] ?? 0;
