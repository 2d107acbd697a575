import type * as z from 'zod';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { queryItems, startAt } from '../../../../shared/db/query.ts';
import { getExpiry } from '../../../../shared/input/share-age.ts';
import { countOwn } from '../record/counters.ts';
import { shareKeys } from '../record/keys.ts';
import { parseAccess, type ShareAccess, type StoredShare } from '../record/share.ts';
import type { SharesSummary } from '../requests/schemas.ts';

/** Bounds what a summary reads: each share costs one read unit. */
export const maxSummarized = 100;

/** An active share that expires within this time expires soon. */
const soonMs = 7 * 86_400_000;

const isActive = (access: ShareAccess): boolean =>
  access.endedAt === undefined &&
  access.takenDown === undefined &&
  access.ownerSuspended === undefined;

/** A user's newest shares, and the number of all. */
interface NewestShares {
  readonly newest: readonly Pick<StoredShare, 'id' | 'createdAt'>[];
  readonly total: number;
}

/** Finds a user's newest shares, at most {@link maxSummarized}. */
export const findNewest = async (ownerId: number): Promise<NewestShares> => {
  const list = { ...startAt(shareKeys.byOwner.prefix({ ownerId })), ScanIndexForward: false };
  const [entries, total] = await Promise.all([
    queryItems(list, maxSummarized, undefined),
    countOwn(ownerId),
  ]);
  const newest = entries.flatMap(({ pk, sk }) => shareKeys.byOwner.read({ pk, sk } as Key) ?? []);
  return { newest, total };
};

/** Sums up these shares. */
export const summarize = async ({
  newest,
  total,
}: NewestShares): Promise<z.output<typeof SharesSummary>> => {
  const items = await batchGet(newest.map(({ id }) => shareKeys.access.at({ id })));
  const all = newest.flatMap(({ createdAt }, at) => {
    const access = parseAccess(items[at]);
    if (!access) return [];
    const expiry = getExpiry({ createdAt, ...access });
    return [{ access, end: expiry === undefined ? Infinity : Date.parse(expiry) }];
  });
  const now = Date.now();
  const active = all.filter(({ access, end }) => isActive(access) && end > now);
  const expiring = active.filter(({ end }) => end <= now + soonMs);
  return {
    total,
    counted: all.length,
    active: active.length,
    expiringSoon: expiring.length,
    views: all.reduce((sum, { access }) => sum + access.views, 0),
  };
};
