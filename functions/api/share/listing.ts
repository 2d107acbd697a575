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
import { filterByExistingOwner } from '../../../shared/users/person.ts';
import { countOwn } from './record/counters.ts';
import { shareKeys } from './record/keys.ts';
import { type FoundShare, parseAccess, parseShare } from './record/share.ts';

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

/** Lists the shares of all users, newest first, or the reported ones, longest waiting first. */
export const listAll = async (
  callerId: number,
  { reported, ...request }: PageRequest & { readonly reported: boolean },
): Promise<ListResult<FoundShare>> => {
  const list = reported ? shareKeys.reported.partition() : shareKeys.all.partition();
  const query = indexQuery(list.pk);
  const [page, total] = await Promise.all([
    readPage(
      { ...query, ScanIndexForward: reported },
      request,
      `shares#${callerId}#${String(reported)}`,
    ),
    reported ? countItems(query, maxCountedMatches + 1) : readTotal('shares'),
  ]);
  const found = await findAll(getIds(page));
  const owned = await filterByExistingOwner(
    found.map(({ share }) => share),
    callerId,
  );
  const items = found.filter(({ share }) => owned.includes(share));
  if (!reported) return { ...page, items, total, totalIsExact: true };
  const totalIsExact = total <= maxCountedMatches;
  return { ...page, items, total: Math.min(total, maxCountedMatches), totalIsExact };
};
