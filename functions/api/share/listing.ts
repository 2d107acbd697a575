import { readTotal } from '../../../shared/counters/total.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { partitionQuery, shardedSource } from '../../../shared/lists/list-partitions.ts';
import {
  countItems,
  inDirection,
  type ListKey,
  type ListQuery,
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  queryItems,
  readPage,
  readPageFrom,
  type Slice,
  type Source,
  startAt,
} from '../../../shared/lists/pagination.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { readUsers } from '../../../shared/users/person.ts';
import { countOwn } from './record/counters.ts';
import { shareKeys } from './record/keys.ts';
import {
  type FoundShare,
  getShareStatus,
  type OwnedShare,
  parseAccess,
  parseShare,
  type ShareStatus,
} from './record/share.ts';

/** Reads shares with their access items, in the order of the ids. Deleted shares are omitted. */
const findAll = async (ids: readonly string[]): Promise<FoundShare[]> => {
  const records = await batchGet(
    ids.flatMap((id) => [shareKeys.record.at({ id }), shareKeys.access.at({ id })]),
  );
  return ids.flatMap((_, index) => {
    const share = parseShare(records[2 * index]);
    const access = parseAccess(records[2 * index + 1]);
    return share && access ? [{ share, access }] : [];
  });
};

const toIds = (items: readonly ListKey[]) => items.map(({ id }) => id as string);

/** Bounds what a page by status reads: no more than a page of 100 shares. */
const maxExamined = 100;

/** The statuses that owners can filter by: those of a suspended owner are seen by no one. */
export const filteredStatuses = [
  'active',
  'ended',
  'taken-down',
] as const satisfies readonly ShareStatus[];
type StatusFilter = (typeof filteredStatuses)[number];

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
    const shares = new Map((await findAll(toIds(part))).map((one) => [one.share.id, one]));
    for (const entry of part) {
      const one = shares.get(entry['id'] as string);
      if (!one || getShareStatus(one) !== status) continue;
      items.push(entry);
      found.push(one);
    }
  }
  return { items, found, stoppedAt: entries[maxExamined - 1] };
};

/** What the owner's list shows. */
export interface OwnFilter {
  readonly status?: StatusFilter | undefined;
}

/**
 * Lists a user's shares without content, newest first, with their total number. With a status, a page may be short, and
 * the total is at most that of all shares.
 */
export const listOwn = async (
  ownerId: number,
  { status }: OwnFilter,
  request: PageRequest,
): Promise<ListResult<FoundShare>> => {
  const query = { ...startAt(shareKeys.byOwner.prefix({ ownerId })), ScanIndexForward: false };
  if (status === undefined) {
    const [page, total] = await Promise.all([
      readPage(query, request, `own-shares#${ownerId}`),
      countOwn(ownerId),
    ]);
    return { ...page, items: await findAll(toIds(page.items)), total, totalIsExact: true };
  }
  if ((request.page ?? 1) > 1) {
    throw invalidField('page', 'cannot be combined with status; use `cursor`');
  }
  const known = new Map<string, FoundShare>();
  const source: Source = async (count, from, isReversed) => {
    const slice = await readByStatus(inDirection(query, isReversed), status, count, from);
    for (const one of slice.found) known.set(one.share.id, one);
    return slice;
  };
  const [page, total] = await Promise.all([
    readPageFrom(source, false, request, `own-shares#${ownerId}#${status}`),
    countOwn(ownerId),
  ]);
  const items = toIds(page.items).flatMap((id) => known.get(id) ?? []);
  return { ...page, items, total, totalIsExact: false };
};

/** Creates the query of the shares waiting for a decision, longest waiting first. */
const reportedQuery = () => {
  const { pk } = shareKeys.reported.partition();
  return partitionQuery({ pk, ofIndex: true }, false);
};

/** Adds the owners' names. Shares of removed owners are omitted, because a job still deletes or transfers them. */
const withOwners = async (found: readonly FoundShare[]): Promise<OwnedShare[]> => {
  const users = await readUsers(found.map(({ share }) => share.ownerId));
  return found.flatMap((one) => {
    const owner = users.get(one.share.ownerId);
    return owner ? [{ ...one, ownerName: owner.name }] : [];
  });
};

/** Selects the shares waiting for a decision, or those of one owner. */
export interface ShareFilter {
  readonly reported?: boolean | undefined;
  readonly ownerId?: number | undefined;
}

/** Lists the shares of all users or one, newest first, or the reported ones, longest waiting first. */
export const listAll = async (
  callerId: number,
  { reported = false, ownerId }: ShareFilter,
  request: PageRequest,
): Promise<ListResult<OwnedShare>> => {
  const scope = `shares#${callerId}#${ownerId ?? reported}`;
  const readEntries = () => {
    if (reported) return readPage(reportedQuery(), request, scope);
    if (ownerId !== undefined) {
      const query = startAt(shareKeys.byOwner.prefix({ ownerId }));
      return readPage({ ...query, ScanIndexForward: false }, request, scope);
    }
    const shards = shareKeys.all.partitions().map(({ pk }) => ({ pk, ofIndex: true as const }));
    return readPageFrom(shardedSource(shards), true, request, scope);
  };
  const [page, total] = await Promise.all([
    readEntries(),
    reported ? countItems(reportedQuery(), maxCountedMatches + 1) : countShares(ownerId),
  ]);
  const items = await withOwners(await findAll(toIds(page.items)));
  return {
    ...page,
    items,
    total: Math.min(total, reported ? maxCountedMatches : total),
    totalIsExact: !reported || total <= maxCountedMatches,
  };
};

const countShares = (ownerId: number | undefined): Promise<number> =>
  ownerId === undefined ? readTotal('shares', { isEventual: true }) : countOwn(ownerId);
