import { readTotal } from '../../../../shared/counters/total.ts';
import type { Key } from '../../../../shared/db/key.ts';
import {
  inDirection,
  type ListKey,
  type ListQuery,
  queryItems,
  startAt,
} from '../../../../shared/db/query.ts';
import { shardedSource } from '../../../../shared/lists/list-partitions.ts';
import {
  type ListResult,
  maxCountedMatches,
  type Page,
  type PageRequest,
  readPage,
  readPageFrom,
  type Slice,
  type Source,
} from '../../../../shared/lists/pagination.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import { loadShares } from '../reading/load.ts';
import { countOwn } from '../record/counters.ts';
import { shareKeys } from '../record/keys.ts';
import {
  type FoundShare,
  getShareStatus,
  type OwnedShare,
  type ShareStatus,
} from '../record/share.ts';
import { countWaiting, waitingQuery } from '../record/waiting.ts';

const toIds = (items: readonly ListKey[]) => items.map(({ id }) => id as string);

/** Bounds what a page by status reads: no more than a page of 100 shares. */
const maxExamined = 100;

/** The statuses that owners can filter by: those of a suspended owner are seen by no one. */
export const filteredStatuses = [
  'active',
  'ended',
  'taken-down',
] as const satisfies readonly ShareStatus[];
export type StatusFilter = (typeof filteredStatuses)[number];

/**
 * Reads the next entries of a list whose shares have a status. Views and time change it, so no index has it: shares are
 * examined one after the other (decisions.md#shares-by-status).
 */
const readByStatus = async (
  query: ListQuery,
  status: StatusFilter,
  count: number,
  from: ListKey | undefined,
): Promise<Slice & { readonly found: readonly FoundShare[] }> => {
  const entries = await queryItems(query, maxExamined, from);
  const items: ListKey[] = [];
  const found: FoundShare[] = [];
  // Often all of them have it.
  for (const part of [entries.slice(0, count), entries.slice(count)]) {
    if (items.length >= count) break;
    const shares = new Map((await loadShares(toIds(part))).map((one) => [one.share.id, one]));
    for (const entry of part) {
      const one = shares.get(entry['id'] as string);
      if (!one || getShareStatus(one) !== status) continue;
      items.push(entry);
      found.push(one);
    }
  }
  return { items, found, stoppedAt: entries[maxExamined - 1] };
};

const ownQuery = (ownerId: number): ListQuery => ({
  ...startAt(shareKeys.byOwner.prefix({ ownerId })),
  ScanIndexForward: false,
});

const findOwnPage = (ownerId: number, request: PageRequest): Promise<Page<ListKey>> =>
  readPage(ownQuery(ownerId), request, `own-shares#${ownerId}`);

/** Finds a user's shares, newest first, with their total number. */
export const findOwn = async (
  ownerId: number,
  request: PageRequest,
): Promise<ListResult<ListKey>> => {
  const [page, total] = await Promise.all([findOwnPage(ownerId, request), countOwn(ownerId)]);
  return { ...page, total, totalIsExact: true };
};

/** Reads the shares of a page of entries, without content. */
export const loadOwn = async (found: ListResult<ListKey>): Promise<ListResult<FoundShare>> => ({
  ...found,
  items: await loadShares(toIds(found.items)),
});

const readPageByStatus = async (
  ownerId: number,
  status: StatusFilter,
  request: PageRequest,
): Promise<Page<FoundShare>> => {
  const known = new Map<string, FoundShare>();
  const source: Source = async (count, from, isReversed) => {
    const query = inDirection(ownQuery(ownerId), isReversed);
    const slice = await readByStatus(query, status, count, from);
    for (const one of slice.found) known.set(one.share.id, one);
    return slice;
  };
  const scope = `own-shares#${ownerId}#${status}`;
  const page = await readPageFrom(source, false, request, scope);
  return { ...page, items: toIds(page.items).flatMap((id) => known.get(id) ?? []) };
};

/**
 * Lists a user's shares with a status, without content, newest first. A page may be short, and the total is at most that
 * of all shares.
 */
export const listOwnByStatus = async (
  ownerId: number,
  status: StatusFilter,
  request: PageRequest,
): Promise<ListResult<FoundShare>> => {
  if ((request.page ?? 1) > 1) {
    throw invalidField('page', 'cannot be combined with status; use `cursor`');
  }
  const [page, total] = await Promise.all([
    readPageByStatus(ownerId, status, request),
    countOwn(ownerId),
  ]);
  return { ...page, total, totalIsExact: false };
};

/** Reads a page of a user's shares, all or with a status, without counting. */
export const readOwnPage = async (
  ownerId: number,
  status: StatusFilter | undefined,
  request: PageRequest,
): Promise<Page<FoundShare>> => {
  if (status !== undefined) return readPageByStatus(ownerId, status, request);
  const page = await findOwnPage(ownerId, request);
  return { ...page, items: await loadShares(toIds(page.items)) };
};

/** Returns the owner at the time of an entry: its key, or the record that the index has, names it. */
const getOwner = ({ pk, sk, ownerId }: ListKey): number =>
  shareKeys.byOwner.read({ pk, sk } as Key)?.ownerId ?? Number(ownerId);

/**
 * Reads the shares of entries with their owners' names; takes another round trip if one was transferred since. Shares of
 * removed owners are omitted, because a job still deletes or transfers them.
 */
const loadOwned = async (entries: readonly ListKey[]): Promise<OwnedShare[]> => {
  const expected = entries.map(getOwner);
  const [found, users] = await Promise.all([loadShares(toIds(entries)), readUsers(expected)]);
  const owners = found.map(({ share }) => share.ownerId).filter((id) => !users.has(id));
  const all = new Map([...users, ...(await readUsers(owners))]);
  return found.flatMap((one) => {
    const owner = all.get(one.share.ownerId);
    return owner ? [{ ...one, ownerName: owner.name }] : [];
  });
};

/** Selects the shares waiting for a decision, or those of one owner. */
export interface ShareFilter {
  readonly reported?: boolean | undefined;
  readonly ownerId?: number | undefined;
}

const readEntries = (
  callerId: number,
  { reported = false, ownerId }: ShareFilter,
  request: PageRequest,
): Promise<Page<ListKey>> => {
  const scope = `shares#${callerId}#${ownerId ?? reported}`;
  if (reported) return readPage(waitingQuery(), request, scope);
  if (ownerId !== undefined) return readPage(ownQuery(ownerId), request, scope);
  const shards = shareKeys.all.partitions().map(({ pk }) => ({ pk, ofIndex: true as const }));
  return readPageFrom(shardedSource(shards), true, request, scope);
};

/** Finds the shares of all users or one, newest first, or the reported ones, longest waiting first. */
export const findEntries = async (
  callerId: number,
  filter: ShareFilter,
  request: PageRequest,
): Promise<ListResult<ListKey>> => {
  const { reported = false, ownerId } = filter;
  const [page, total] = await Promise.all([
    readEntries(callerId, filter, request),
    reported ? countWaiting(maxCountedMatches + 1) : countShares(ownerId),
  ]);
  return {
    ...page,
    total: Math.min(total, reported ? maxCountedMatches : total),
    totalIsExact: !reported || total <= maxCountedMatches,
  };
};

/** Reads a page as `findEntries` finds it, with the names of the owners, without counting. */
export const readAllPage = async (
  callerId: number,
  filter: ShareFilter,
  request: PageRequest,
): Promise<Page<OwnedShare>> => {
  const page = await readEntries(callerId, filter, request);
  return { ...page, items: await loadOwned(page.items) };
};

/** Reads the shares of a page of entries, with the names of their owners. */
export const loadEntries = async (found: ListResult<ListKey>): Promise<ListResult<OwnedShare>> => ({
  ...found,
  items: await loadOwned(found.items),
});

const countShares = (ownerId: number | undefined): Promise<number> =>
  ownerId === undefined ? readTotal('shares', { isEventual: true }) : countOwn(ownerId);
