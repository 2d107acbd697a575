import { userKeys } from '../../../../shared/auth/keys.ts';
import {
  type Count,
  type CountChange,
  type Counted,
  count,
  defineCounter,
  type Guard,
  readCounter,
} from '../../../../shared/counters/counter.ts';
import { totals } from '../../../../shared/counters/total.ts';
import { countEveryones, createVisibleCounts } from '../../../../shared/records/counts.ts';
import { requireQuota, usage } from '../../../../shared/storage/usage.ts';
import { isFolder, isReady, type StoredFile } from './file.ts';
import { fileKeys } from './keys.ts';

/** A user's visible files that are not everyone's (`seen`), and files in the trash (`trashed`). */
const ofUser = defineCounter({
  family: fileKeys.counts,
  // Few writes change a user's counters concurrently, in contrast to the totals.
  shards: 4,
  describe: ({ userId }) => `files of user ${userId}`,
  owner: ({ userId }) => userKeys.record.at({ id: userId }),
});

const children = defineCounter({
  family: fileKeys.children,
  describe: ({ id }) => `contents of folder ${id}`,
  owner: ({ id }) => fileKeys.record.at({ id }),
});

const ofEveryone = countEveryones('files', fileKeys.publicCounts);

export const visible = createVisibleCounts('files', ofUser, ofEveryone);

/** Lists what a file or folder adds to counters. */
export const getCounts = (file: StoredFile | undefined): Count[] => {
  if (!file) return [];
  const { ownerId, folderId, size, status } = file;
  const isStored = status !== 'removed' && !isFolder(file);
  const isTrashed = status === 'trashed';
  const files = Number(status === 'ready');
  const added = { used: size, files, ...(isTrashed && { trashed: size }) };
  return [
    ...(isReady(file) ? visible.list(file) : []),
    ...(isTrashed ? [count(ofUser, { userId: ownerId }, { trashed: 1 })] : []),
    ...(isStored ? [count(usage, { userId: ownerId }, added)] : []),
    ...(status === 'ready' && folderId !== undefined
      ? [count(children, { id: folderId }, { count: 1 })]
      : []),
  ];
};

/** Returns the conditions of counters: a new file fits into the quota, and the folders exist. */
export const guardCounts =
  (isNew: boolean) =>
  (change: CountChange): Guard<'quota' | 'changed'> | undefined => {
    if (change.counter === children) {
      return { condition: 'attribute_exists(pk)', refused: 'changed' };
    }
    return isNew ? requireQuota(change) : undefined;
  };

/** Counts a user's files in the trash. */
export const countTrashed = async (userId: number): Promise<number> =>
  (await readCounter(ofUser, { userId }))['trashed'] ?? 0;

export const counted: readonly Counted[] = [
  {
    record: fileKeys.record,
    counters: [totals, ofUser, ofEveryone, usage, children],
    of: getCounts,
  },
];
