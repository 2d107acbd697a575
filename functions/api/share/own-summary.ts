import type * as z from 'zod';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { queryItems, startAt } from '../../../shared/lists/pagination.ts';
import { countOwn } from './record/counters.ts';
import { shareKeys } from './record/keys.ts';
import { parseAccess, type ShareAccess } from './record/share.ts';
import type { SharesSummary } from './schemas.ts';

/** Bounds what a summary reads: each share costs one read unit. */
export const maxSummarized = 100;

/** An active share that expires within this time expires soon. */
const soonMs = 7 * 86_400_000;

const isActive = (access: ShareAccess, now: number): boolean =>
  access.endedAt === undefined &&
  access.takenDown === undefined &&
  access.ownerSuspended === undefined &&
  (access.expiresAt === undefined || Date.parse(access.expiresAt) > now);

/** Sums up a user's newest shares, at most {@link maxSummarized}. */
export const summarizeOwn = async (ownerId: number): Promise<z.output<typeof SharesSummary>> => {
  const list = { ...startAt(shareKeys.byOwner.prefix({ ownerId })), ScanIndexForward: false };
  const [entries, total] = await Promise.all([
    queryItems(list, maxSummarized, undefined),
    countOwn(ownerId),
  ]);
  const items = await batchGet(entries.map(({ id }) => shareKeys.access.at({ id: id as string })));
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
