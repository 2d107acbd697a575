import type * as z from 'zod';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { queryItems, startAt } from '../../../../shared/db/query.ts';
import { countOwn } from '../record/counters.ts';
import { shareKeys } from '../record/keys.ts';
import { parseAccess, type ShareAccess } from '../record/share.ts';
import type { SharesSummary } from '../requests/schemas.ts';

/** Bounds what a summary reads: each share costs one read unit. */
export const maxSummarized = 100;

/** An active share that expires within this time expires soon. */
const soonMs = 7 * 86_400_000;

const isActive = (access: ShareAccess, now: number): boolean =>
  access.endedAt === undefined &&
  access.takenDown === undefined &&
  access.ownerSuspended === undefined &&
  (access.expiresAt === undefined || Date.parse(access.expiresAt) > now);

/** The ids of a user's newest shares, and the number of all. */
interface NewestShares {
  readonly ids: readonly string[];
  readonly total: number;
}

/** Finds a user's newest shares, at most {@link maxSummarized}. */
export const findNewest = async (ownerId: number): Promise<NewestShares> => {
  const list = { ...startAt(shareKeys.byOwner.prefix({ ownerId })), ScanIndexForward: false };
  const [entries, total] = await Promise.all([
    queryItems(list, maxSummarized, undefined),
    countOwn(ownerId),
  ]);
  return { ids: entries.map(({ id }) => id as string), total };
};

/** Sums up these shares. */
export const summarize = async ({
  ids,
  total,
}: NewestShares): Promise<z.output<typeof SharesSummary>> => {
  const items = await batchGet(ids.map((id) => shareKeys.access.at({ id })));
  const all = items.flatMap((item) => parseAccess(item) ?? []);
  const now = Date.now();
  const active = all.filter((access) => isActive(access, now));
  const expiring = active.filter(
    ({ expiresAt }) => expiresAt !== undefined && Date.parse(expiresAt) <= now + soonMs,
  );
  return {
    total,
    counted: all.length,
    active: active.length,
    expiringSoon: expiring.length,
    views: all.reduce((sum, { views }) => sum + views, 0),
  };
};
