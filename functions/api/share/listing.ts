import { readTotal } from '../../../shared/counters/total.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { keys, schema } from '../../../shared/db/table.ts';
import {
  countedMatches,
  countUpTo,
  type Listed,
  type Page,
  type PageRequest,
  readPage,
  startingWith,
} from '../../../shared/lists/pagination.ts';
import { ofExistingOwners } from '../../../shared/users/person.ts';
import type { FoundShare, StoredGate, StoredShare } from './record/share.ts';

/** The shares of these ids with their gates, in this order; those that are gone are left out. */
const findAll = async (ids: readonly string[]): Promise<FoundShare[]> => {
  const records = await batchGet(ids.flatMap((id) => [keys.share(id), keys.shareViews(id)]));
  return ids.flatMap((_, at) => {
    const share = records[2 * at] as StoredShare | undefined;
    const gate = records[2 * at + 1] as StoredGate | undefined;
    return share && gate ? [{ share, gate }] : [];
  });
};

const idsOf = (page: Page<Record<string, unknown>>) => page.items.map(({ id }) => id as string);

/** A user's own shares, newest first, without content, and how many there are. */
export const listOwn = async (
  ownerId: number,
  request: PageRequest,
): Promise<Page<FoundShare> & { readonly total: number }> => {
  const [page, [count]] = await Promise.all([
    readPage(
      { ...startingWith(keys.ownShares(ownerId)), ScanIndexForward: false },
      request,
      `own-shares#${ownerId}`,
    ),
    batchGet([keys.ownShareCount(ownerId)]),
  ]);
  const items = await findAll(idsOf(page));
  return { ...page, items, total: (count?.['shares'] as number | undefined) ?? 0 };
};

const ofIndex = (partition: string) => ({
  IndexName: schema.index.name,
  KeyConditionExpression: 'gsi1pk = :pk',
  ExpressionAttributeValues: { ':pk': partition },
});

/** Everybody's shares, newest first; or those that were reported, the one that waits longest first. */
export const listAll = async (
  callerId: number,
  { reported, ...request }: PageRequest & { readonly reported: boolean },
): Promise<Listed<FoundShare>> => {
  const list = reported ? keys.reportedShares('', '') : keys.allShares('', '');
  const query = ofIndex(list.pk);
  const [page, total] = await Promise.all([
    readPage(
      { ...query, ScanIndexForward: reported },
      request,
      `shares#${callerId}#${String(reported)}`,
    ),
    reported ? countUpTo(query, countedMatches + 1) : readTotal('shares'),
  ]);
  const found = await findAll(idsOf(page));
  const owned = await ofExistingOwners(
    found.map(({ share }) => share),
    callerId,
  );
  const items = found.filter(({ share }) => owned.includes(share));
  if (!reported) return { ...page, items, total, totalIsExact: true };
  const totalIsExact = total <= countedMatches;
  return { ...page, items, total: Math.min(total, countedMatches), totalIsExact };
};
