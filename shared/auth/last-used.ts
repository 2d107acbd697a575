import { conditionalUpdate } from '../db/conditional-write.ts';
import type { Key } from '../db/key.ts';
import { getSetting } from '../runtime/settings.ts';

interface Used {
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly expiresAt?: string;
}

/** Uses within this time of the last recorded one are not recorded, so most requests write nothing. */
const coarseMs = 60 * 60_000;

/** Fraction of a session's lifetime after which a use extends it, if that is less than the time above. */
const lifePart = 4;

/** Returns when a session used at a time (ms since 1970) expires: after its lifetime, but not past its end. */
export const getExpiry = (
  usedAt: number,
  endsAt: string,
): { readonly expiresAt: string; readonly ttl: number } => {
  const end = Math.min(usedAt + getSetting('JWT_REFRESH_EXPIRES'), Date.parse(endsAt));
  return { expiresAt: new Date(end).toISOString(), ttl: Math.ceil(end / 1_000) };
};

/** Returns whether a use extends the session enough to be worth a write. */
const isDue = (stored: Used, newExpiry: string): boolean => {
  const gain = Date.parse(newExpiry) - Date.parse(stored.expiresAt ?? newExpiry);
  return gain >= Math.min(coarseMs, getSetting('JWT_REFRESH_EXPIRES') / lifePart);
};

const isUnrecorded = () => undefined;

/**
 * Records the first use of a rotation's access token, and with it the use of its session, in one write that has no effect
 * on a later rotation or an ended session. Fails the request if it fails: the refresh token before must not stay usable.
 */
export const acceptRotation = async (key: Key, rotation: number, now: number): Promise<void> => {
  await conditionalUpdate({
    Key: key,
    UpdateExpression: 'SET acceptedRotation = :rotation, lastUsedAt = :now',
    ConditionExpression: 'rotation = :rotation',
    ExpressionAttributeValues: { ':rotation': rotation, ':now': new Date(now).toISOString() },
  });
};

/**
 * Records the use of a session or API token, accurate to an hour. With `extend`, it extends a session. Never restores a
 * deleted item and never fails the request.
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
    // The next use is recorded instead.
  }).catch(isUnrecorded);
};
