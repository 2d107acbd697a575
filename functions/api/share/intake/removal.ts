import { batchDelete } from '../../../../shared/db/batch-delete.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { type ListKey, partitionQuery, startAt } from '../../../../shared/db/query.ts';
import { type Bound, type Deadline, processItems } from '../../../../shared/lists/process-items.ts';
import { requestKeys } from './keys.ts';

/** Deletes a request with its reports, and then its entry in the list. Returns whether all of it is deleted. */
const deleteAllOf = async (entry: ListKey, { deadline }: Deadline): Promise<boolean> => {
  const partition = requestKeys.record.partition({ id: String(entry['id']) });
  let isDeleted = true;
  const isAtEnd = await processItems(
    partitionQuery(partition, false),
    async (items) => {
      isDeleted = (await batchDelete(items as object as readonly Key[])) && isDeleted;
    },
    { deadline },
  );
  return isAtEnd && isDeleted && batchDelete([entry as object as Key]);
};

/**
 * Deletes the requests of a removed user. They aren't transferred: whoever has their addresses was asked by this user. Returns
 * whether all are deleted.
 */
export const deleteRequestsOf = async (ownerId: number, bound: Bound): Promise<boolean> => {
  let isDeleted = true;
  const isAtEnd = await processItems(
    startAt(requestKeys.byOwner.prefix({ ownerId })),
    async (entries) => {
      const all = await Promise.all(entries.map((entry) => deleteAllOf(entry, bound)));
      isDeleted &&= all.every(Boolean);
    },
    bound,
  );
  return isAtEnd && isDeleted;
};
