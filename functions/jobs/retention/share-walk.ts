import { schema } from '../../../shared/db/key.ts';
import { type ListKey, queryItems } from '../../../shared/db/query.ts';
import type { Deadline } from '../../../shared/lists/process-items.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { purgeEndedShares } from '../../api/share/ending/expiry.ts';
import { shareKeys } from '../../api/share/record/keys.ts';
import { contentRetentionMs } from '../../api/share/record/share.ts';
import { readWalk, type Walked, writeWalk } from './walk.ts';

/*
 * A share that was created before MAX_SHARE_AGE was set or lowered has no entry that is due at the end of its age. The list of all
 * shares is by creation, so those that have reached the age are its beginning. What ended stays in that list for 90 days, so
 * a mark says up to which time of creation all have ended: each share is looked at once.
 */

/** Entries of a shard that are read at once. */
const sliceSize = 100;

const createdAtOf = (entry: ListKey): string =>
  String(entry[schema.index.sortKey]).split('#')[0] as string;

const readShard = (pk: string, from: string, before: string): Promise<ListKey[]> =>
  queryItems(
    {
      IndexName: schema.index.name,
      KeyConditionExpression: `${schema.index.partitionKey} = :pk AND ${schema.index.sortKey} BETWEEN :from AND :before`,
      ExpressionAttributeValues: { ':pk': pk, ':from': from, ':before': before },
    },
    sliceSize,
    undefined,
  );

/** Reads the next shares of all shards, and up to which time of creation these are all. */
const readNext = async (from: string, before: string) => {
  const shards = await Promise.all(
    shareKeys.all.partitions().map(({ pk }) => readShard(pk, from, before)),
  );
  const ends = shards.flatMap((entries) => entries.slice(sliceSize - 1)).map(createdAtOf);
  const upTo = ends.toSorted()[0] ?? before;
  const entries = shards.flat().filter((entry) => createdAtOf(entry) <= upTo);
  return { ids: entries.map(({ id }) => id as string), upTo };
};

/** The next millisecond, if a whole slice is of one. */
const pass = (from: string, upTo: string): string =>
  upTo > from ? upTo : new Date(Date.parse(from) + 1).toISOString();

/** How many shares that failed are remembered. With more, something else is wrong, and the walk waits. */
const maxFailed = 100;

/**
 * Deletes the content of shares whose age has ended, oldest first. The next call continues where the time was up. Those that fail
 * stop no other: they are remembered, and each call tries those of former ones again, after all else.
 */
export const walkShares = async (bound: Deadline): Promise<Walked> => {
  const maxAge = getSetting('MAX_SHARE_AGE');
  if (maxAge === undefined) return { isAtEnd: true, failure: undefined };
  const { upTo: seen = new Date(0).toISOString(), failed: former = [] } =
    (await readWalk('shares')) ?? {};
  const before = new Date(Date.now() - maxAge - contentRetentionMs).toISOString();
  const failed = new Set(former);
  let from = seen;
  let failure: unknown;
  const purge = async (ids: readonly string[]): Promise<readonly string[] | undefined> => {
    try {
      const errors = await purgeEndedShares(ids, bound);
      failure ??= [...errors.values()][0];
      return Date.now() < bound.deadline ? [...errors.keys()] : undefined;
    } catch (error) {
      failure ??= error;
      return undefined;
    }
  };
  while (from < before && Date.now() < bound.deadline) {
    const { ids, upTo } = await readNext(from, before);
    const failedNow = await purge(ids);
    // What the deadline cut off is looked at again, as is what can't be read or remembered.
    if (!failedNow || new Set([...failed, ...failedNow]).size > maxFailed) break;
    for (const id of failedNow) failed.add(id);
    from = pass(from, upTo);
  }
  if (former.length > 0 && Date.now() < bound.deadline) {
    const still = await purge(former);
    for (const id of former) if (still && !still.includes(id)) failed.delete(id);
  }
  const isSame = failed.size === former.length && former.every((id) => failed.has(id));
  if (from > seen || !isSame) {
    await writeWalk('shares', { upTo: from, ...(failed.size > 0 && { failed: [...failed] }) });
  }
  return { isAtEnd: from >= before, failure };
};
