import { isSuspended, type StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import type { ListKey, Partition } from '../../../../shared/db/query.ts';
import {
  mergedSources,
  mergeSources,
  shardedSource,
} from '../../../../shared/lists/list-partitions.ts';
import {
  type Page,
  type PageRequest,
  readPageFrom,
  type Slice,
  type Source,
} from '../../../../shared/lists/pagination.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { limitAudience } from '../../../../shared/users/audience.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import { toFoundShare } from '../reading/load.ts';
import { getAudience, isInAudience } from '../record/audience.ts';
import { shareKeys } from '../record/keys.ts';
import { type FoundShare, getShareStatus } from '../record/share.ts';
import type { ReceivedEntry } from './entries.ts';

/** A share that someone else shares with a user. */
export interface ReceivedShare {
  readonly found: FoundShare;
  readonly owner: StoredUser;
  /** Since when (ISO 8601). */
  readonly sharedAt: string;
}

/** Bounds what a page examines: no more than a page of 100 shares. */
const maxExamined = 100;

/** The partitions of a user’s list: shares that name the user, and those for all members, as far as the settings allow them. */
export const listPartitions = (
  userId: number,
): Readonly<Record<'named' | 'forMembers', readonly Partition[]>> => {
  const { pk, sk: prefix } = shareKeys.received.prefix({ userId });
  return {
    named: limitAudience('people') === 'people' ? [{ pk, prefix }] : [],
    forMembers: limitAudience('members') === 'members' ? shareKeys.members.partitions() : [],
  };
};

/** Merges the entries of shares that name a user and those for all members, newest first or reversed. */
const entriesOf = (userId: number, isReversed: boolean): Source => {
  const { named, forMembers } = listPartitions(userId);
  const ofUser = mergeSources(named, undefined, !isReversed);
  return mergedSources([ofUser, shardedSource(forMembers)], !isReversed);
};

/** An entry as the merged list has it: its sort key begins with when it was shared. */
type MergedEntry = ReceivedEntry & { readonly sk: string };

const isNamed = ({ pk }: MergedEntry, userId: number): boolean =>
  pk === shareKeys.received.partition({ userId }).pk;

/** Reads the shares of entries, with their owners, without those that the user removed from the list. */
const loadEntries = async (userId: number, entries: readonly MergedEntry[]) => {
  const forMembers = entries.filter((entry) => !isNamed(entry, userId));
  const [users, items] = await Promise.all([
    readUsers(entries.map(({ ownerId }) => ownerId)),
    batchGet([
      ...entries.flatMap(({ id }) => [shareKeys.record.at({ id }), shareKeys.access.at({ id })]),
      ...forMembers.map(({ id }) => shareKeys.hidden.at({ userId, id })),
    ]),
  ]);
  const marks = items.slice(2 * entries.length);
  const hidden = new Set<ReceivedEntry>(forMembers.filter((_, at) => marks[at] !== undefined));
  const loaded = entries.flatMap((entry, at) => {
    const [share, access] = items.slice(2 * at, 2 * at + 2);
    if (!share || !access || hidden.has(entry)) return [];
    return [{ entry, found: toFoundShare(share, access) }];
  });
  // Of one that was handed over since its entry was read.
  const others = loaded.map(({ found }) => found.share.ownerId).filter((id) => !users.has(id));
  const all = others.length > 0 ? new Map([...users, ...(await readUsers(others))]) : users;
  return loaded.map((one) => ({ ...one, owner: all.get(one.found.share.ownerId) }));
};

/**
 * Whether the record of a share lets a user have its entry: the record alone says who may open it. What was taken down or
 * belongs to a suspended user is in no list.
 */
const isInList = (
  userId: number,
  entry: MergedEntry,
  found: FoundShare,
  owner: StoredUser | undefined,
): owner is StoredUser => {
  const { share } = found;
  if (!owner || isSuspended(owner) || owner.id === userId) return false;
  if (share.endedAt !== undefined) return false;
  const status = getShareStatus(found);
  if (status === 'taken-down' || status === 'suspended') return false;
  const audience = isNamed(entry, userId) ? 'people' : 'members';
  return getAudience(share) === audience && isInAudience(share, userId);
};

/**
 * Lists what others share with a user, newest first or reversed. A page may be short or empty and go on by its cursor.
 * @throws AppError VALIDATION_ERROR for a page number above 1
 */
export const listReceived = async (
  userId: number,
  request: PageRequest,
): Promise<Page<ReceivedShare>> => {
  if ((request.page ?? 1) > 1) throw invalidField('page', 'must be 1; use `cursor`');
  const known = new Map<ListKey, ReceivedShare>();

  const examine = async (items: readonly ListKey[]): Promise<ListKey[]> => {
    const others = (items as readonly object[] as readonly MergedEntry[]).filter(
      ({ ownerId }) => ownerId !== userId,
    );
    const loaded = await loadEntries(userId, others);
    return loaded.flatMap(({ entry, found, owner }) => {
      if (!isInList(userId, entry, found, owner)) return [];
      const [sharedAt = ''] = entry.sk.split('#');
      const key = entry as object as ListKey;
      known.set(key, { found, owner, sharedAt });
      return [key];
    });
  };

  const source: Source = async (count, from, isReversed): Promise<Slice> => {
    const entries = entriesOf(userId, isReversed);
    const items: ListKey[] = [];
    let last = from;
    for (let examined = 0; items.length < count; ) {
      const asked = Math.min(count, maxExamined - examined);
      if (asked <= 0) return { items, stoppedAt: last };
      const part = (await entries(asked, last, isReversed)).items;
      items.push(...(await examine(part)));
      if (part.length < asked) break;
      examined += asked;
      last = part.at(-1);
    }
    return { items };
  };

  const page = await readPageFrom(source, false, request, `received-shares#${userId}`);
  return { ...page, items: page.items.flatMap((key) => known.get(key) ?? []) };
};
