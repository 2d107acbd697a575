import { countSteps } from '../../../../shared/counters/counter.ts';
import { conditionalPut } from '../../../../shared/db/conditional-write.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { deleteObjects } from '../../../../shared/storage/bucket.ts';
import { type ListedObject, listObjects } from '../../../../shared/storage/list-objects.ts';
import { getCounts } from '../record/counters.ts';
import { shareKeys } from '../record/keys.ts';
import { modifiedMessage, parseShare, type StoredShare } from '../record/share.ts';
import { loadManifest, type Manifest, removeManifest, storeManifest } from './manifest.ts';
import { hasExpired, withoutExpired } from './merge.ts';
import { getObjectKey, getPrefix } from './objects.ts';

/*
 * Compares the objects of a share with its list, and deletes what the list doesn't have (decisions.md#files-of-a-share).
 */

/** How old an object is that no upload and no request can list any more: an upload lasts a day. ms. */
const settledMs = 26 * 3_600_000;

/** How many objects are deleted in a request. */
const deletedAtOnce = 1_000;

const retryOnConflict = createRetry(modifiedMessage);

/** A share with its list, as far as it has one. */
interface Listed {
  readonly share: StoredShare | undefined;
  readonly manifest: Manifest | undefined;
}

const readListed = (id: string): Promise<Listed> =>
  retryOnConflict(async () => {
    const [item] = await batchGet([shareKeys.record.at({ id })]);
    const share = item && parseShare(item);
    if (!share?.files) return { share, manifest: undefined };
    const manifest = await loadManifest(id, share.files);
    // It was replaced between the two reads.
    return manifest && { share, manifest };
  });

/** Drops former files that are no longer kept. Returns whether the list is still the one that was read. */
const dropExpired = async (share: StoredShare, manifest: Manifest): Promise<boolean> => {
  const { id, version } = share;
  const left = withoutExpired(manifest);
  const isOnly = share.files?.only === true;
  const isAlone = left.files.length === 1 && !isOnly && left.former.length === 0;
  const { files, write } = isAlone
    ? { files: undefined, write: undefined }
    : await storeManifest(id, left, { isOnly });
  const changed = { files, version: version + 1 };
  const refused = await transact([
    {
      write: updateFields(shareKeys.record.at({ id }), changed, versionCondition(version)),
      refused: 'changed',
    },
    write,
    removeManifest(share, files),
    ...countSteps(getCounts(share), getCounts({ ...share, files })),
  ]);
  return refused === undefined;
};

/** Reads the list of a share, after what is no longer kept was dropped from it. */
const readCurrent = (id: string): Promise<Listed> =>
  retryOnConflict(async () => {
    const listed = await readListed(id);
    const { share, manifest } = listed;
    if (!share || !manifest || !hasExpired(manifest)) return listed;
    await dropExpired(share, manifest);
    return undefined;
  });

const deleteAll = async (keys: readonly string[]): Promise<void> => {
  for (let at = 0; at < keys.length; at += deletedAtOnce) {
    const errors = await deleteObjects(keys.slice(at, at + deletedAtOnce));
    for (const error of errors.values()) throw error;
  }
};

/** When a pruning goes on that had more to look at than it lists. ms. */
const nextMs = 60_000;

/** Schedules a pruning for when these objects are settled, or soon without any. Several schedule the same one. */
const pruneAgain = async (id: string, young: readonly ListedObject[]): Promise<void> => {
  const last = young.reduce((latest, { writtenAt }) => Math.max(latest, writtenAt), 0);
  const dueAt = young.length > 0 ? last + settledMs : Date.now() + nextMs;
  const entry = { id, at: new Date(dueAt).toISOString(), entry: 'again' };
  await conditionalPut({
    Item: { ...entry, ...shareKeys.prune.at(entry) },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
};

/**
 * Deletes the objects of a share that its list doesn't have: all if the share `isGone` or has ended, else those that nothing can
 * list any more. For younger ones it comes again. Safe to repeat and to run concurrently.
 * @throws what S3 throws
 */
export const pruneFiles = async (
  id: string,
  { isGone = false }: { readonly isGone?: boolean } = {},
): Promise<void> => {
  // First the objects: one that is listed later is in the list that is read after them.
  const { objects, isWhole } = await listObjects(getPrefix(id));
  const { share, manifest } = await readCurrent(id);
  const listed = new Set(
    [...(manifest?.files ?? []), ...(manifest?.former ?? [])].flatMap(({ object }) =>
      object === undefined ? [] : getObjectKey(id, object),
    ),
  );
  const unlisted = objects.filter(({ key }) => !listed.has(key));
  const hasEnded = share ? !share.texts : isGone;
  const isSettled = ({ writtenAt }: ListedObject) => writtenAt + settledMs <= Date.now();
  const [dead, young] = [
    unlisted.filter((object) => hasEnded || isSettled(object)),
    unlisted.filter((object) => !hasEnded && !isSettled(object)),
  ];
  await deleteAll(dead.map(({ key }) => key));
  if (young.length > 0 || !isWhole) await pruneAgain(id, young);
};
