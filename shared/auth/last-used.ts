import { conditionalUpdate } from '../db/conditional-write.ts';
import type { Key } from '../db/table.ts';
import { getSetting } from '../runtime/settings.ts';

interface Used {
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly expiresAt?: string;
}

/** A use within this time of the last that was noted isn't noted: most requests write nothing. */
const coarseMs = 60 * 60_000;

/** The part of a session's life after which a use moves its expiry on, where that is less than the time above. */
const lifePart = 4;

/** Until when a session is good that is used at an instant (ms since 1970): so long again, but not past its end. */
export const getExpiry = (
  usedAt: number,
  endsAt: string,
): { readonly expiresAt: string; readonly ttl: number } => {
  const end = Math.min(usedAt + getSetting('JWT_REFRESH_EXPIRES'), Date.parse(endsAt));
  return { expiresAt: new Date(end).toISOString(), ttl: Math.ceil(end / 1_000) };
};

/** Would a use at this instant move the expiry on by enough to be worth a write? */
const isDue = (stored: Used, newExpiry: string): boolean => {
  const gain = Date.parse(newExpiry) - Date.parse(stored.expiresAt ?? newExpiry);
  return gain >= Math.min(coarseMs, getSetting('JWT_REFRESH_EXPIRES') / lifePart);
};

const isUnrecorded = () => undefined;

/**
 * Notes that a session or API token is used, to the hour; with `extend`, a session's expiry moves on as well. Never
 * brings back what has been removed, and never makes the request fail that it is about.
 */
export const touchLastUsed = async (
  key: Key,
  stored: Used & { readonly endsAt?: string },
  now: number,
  extend: boolean,
): Promise<void> => {
  const expiry = extend && stored.endsAt ? getExpiry(now, stored.endsAt) : undefined;
  const isRecent = now - Date.parse(stored.lastUsedAt ?? stored.createdAt) < coarseMs;
  if (isRecent && !(expiry && isDue(stored, expiry.expiresAt))) return;
  await conditionalUpdate({
    Key: key,
    UpdateExpression: `SET lastUsedAt = :now${expiry ? ', expiresAt = :expiresAt, #ttl = :ttl' : ''}`,
    ConditionExpression: 'attribute_exists(pk)',
    ...(expiry && { ExpressionAttributeNames: { '#ttl': 'ttl' } }),
    ExpressionAttributeValues: {
      ':now': new Date(now).toISOString(),
      ...(expiry && { ':expiresAt': expiry.expiresAt, ':ttl': expiry.ttl }),
    },
    // The next use is noted instead.
  }).catch(isUnrecorded);
};
