import { batchDelete } from '../../../../shared/db/batch-delete.ts';
import type { Key } from '../../../../shared/db/key.ts';
import type { ListKey } from '../../../../shared/db/query.ts';
import { runEach } from '../../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { pruneFiles } from '../files/prune.ts';
import { shareKeys } from '../record/keys.ts';
import { expireUpload } from './manage.ts';

const prune = async (entry: ListKey): Promise<void> => {
  const { id, upload, ownerId } = entry;
  if (upload !== undefined) await expireUpload(ownerId as number, String(upload));
  await pruneFiles(String(id));
  await batchDelete([entry as object as Key]);
};

/** Ends uploads that were never used, and deletes the objects of shares that nothing lists. */
export const scheduledPrunes: ScheduledWork = {
  name: 'share-prunes',
  due: shareKeys.prune,
  run: (items, bound) => runEach(items, prune, bound, ({ id }) => id),
};
