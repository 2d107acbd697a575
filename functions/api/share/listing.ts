import { readTotal } from '../../../shared/counters/total.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { schema } from '../../../shared/db/key.ts';
import {
  countItems,
  type ListResult,
  maxCountedMatches,
  type Page,
  type PageRequest,
  readPage,
  startAt,
} from '../../../shared/lists/pagination.ts';
import { readUsers } from '../../../shared/users/person.ts';
import { countOwn } from './record/counters.ts';
import { shareKeys } from './record/keys.ts';
import { type FoundShare, type OwnedShare, parseAccess, parseShare } from './record/share.ts';

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

const getIds = (page: Page<Record<string, unknown>>) => page.items.map(({ id }) => id as string);

/** Lists a user's shares without content, newest first, with their total number. */
export const listOwn = async (
  ownerId: number,
  request: PageRequest,
): Promise<Page<FoundShare> & { readonly total: number }> => {
  const [page, total] = await Promise.all([
    readPage(
      { ...startAt(shareKeys.byOwner.prefix({ ownerId })), ScanIndexForward: false },
      request,
      `own-shares#${ownerId}`,
    ),
    countOwn(ownerId),
  ]);
  const items = await findAll(getIds(page));
  return { ...page, items, total };
};

const indexQuery = (partition: string) => ({
  IndexName: schema.index.name,
  KeyConditionExpression: 'gsi1pk = :pk',
  ExpressionAttributeValues: { ':pk': partition },
});

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
  const { pk } = reported ? shareKeys.reported.partition() : shareKeys.all.partition();
  const query =
    ownerId === undefined ? indexQuery(pk) : startAt(shareKeys.byOwner.prefix({ ownerId }));
  const [page, total] = await Promise.all([
    readPage({ ...query, ScanIndexForward: reported }, request, scope),
    reported ? countReported() : countShares(ownerId),
  ]);
  const items = await withOwners(await findAll(getIds(page)));
  return {
    ...page,
    items,
    total: Math.min(total, reported ? maxCountedMatches : total),
    totalIsExact: !reported || total <= maxCountedMatches,
  };
};

const countShares = (ownerId: number | undefined): Promise<number> =>
  ownerId === undefined ? readTotal('shares') : countOwn(ownerId);

/** Counts the shares waiting for a decision, up to one more than lists count. */
const countReported = (): Promise<number> =>
  countItems(indexQuery(shareKeys.reported.partition().pk), maxCountedMatches + 1);
