import { tableName } from '../db/dynamodb.ts';
import type { Item } from '../db/item-parser.ts';
import type { Write } from '../db/transaction.ts';
import { AppError } from '../runtime/errors.ts';
import { getSetting } from '../runtime/settings.ts';
import { limitKeys } from './keys.ts';

/*
 * Canceling or expiring an upload releases its reserved storage, but its form can still upload an object, which stays in
 * the bucket until it is deleted. So each user has an allowance for the bytes of all forms: a token bucket by the generic
 * cell rate algorithm, as in `rate-limit.ts`.
 */

/** In which time (ms) a token bucket gains one quota: the lifetime of most forms, with an upload that goes on after it. */
const quotaMs = 7 * 3_600_000;

/** The capacity of a token bucket, in quotas. */
const capacityQuotas = 2;

/** A stored token bucket: when it will be full again (ms since 1970). */
interface StoredBucket {
  readonly refilledAt: number;
}

/** Returns the key of a user's token bucket. */
export const formBytesKey = (userId: number) =>
  limitKeys.bucket.at({ limit: 'form-bytes', who: String(userId) });

const getRefilledAt = (item: Item | undefined): number =>
  (item as StoredBucket | undefined)?.refilledAt ?? 0;

/** Returns how long (ms) a token bucket takes to gain these bytes. */
const msToRefill = (bytes: number): number =>
  Math.ceil((bytes * quotaMs) / getSetting('FILES_QUOTA'));

/** Returns the latest `refilledAt` (ms) at which a token bucket still holds these bytes. */
const getMaxRefilledAt = (bytes: number): number =>
  Date.now() + capacityQuotas * quotaMs - msToRefill(bytes);

/**
 * Asserts that the user's token bucket holds these bytes. The transaction that records the upload checks this again.
 * @throws AppError RATE_LIMITED
 */
export const assertAllowance = (item: Item | undefined, bytes: number): void => {
  const missingMs = getRefilledAt(item) - getMaxRefilledAt(bytes);
  if (bytes === 0 || missingMs <= 0) return;
  throw new AppError('RATE_LIMITED', 'Upload limit reached (twice your quota). Try again later.', {
    headers: { 'retry-after': String(Math.ceil(missingMs / 1_000)) },
  });
};

/**
 * Creates the write that takes bytes from a user's token bucket, for the transaction that records the upload. It fails if
 * the bucket holds too little, or changed concurrently from full to not full or back.
 */
export const consumeAllowance = (
  userId: number,
  item: Item | undefined,
  bytes: number,
): Write | undefined => {
  if (bytes === 0) return undefined;
  const now = Date.now();
  const isFull = getRefilledAt(item) <= now;
  return {
    Update: {
      TableName: tableName(),
      Key: formBytesKey(userId),
      UpdateExpression: `SET refilledAt = ${isFull ? ':now' : 'refilledAt'} + :gain, #ttl = :ttl`,
      ConditionExpression: isFull
        ? 'attribute_not_exists(pk) OR refilledAt <= :now'
        : 'refilledAt <= :latest',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':gain': msToRefill(bytes),
        ':ttl': Math.ceil((now + capacityQuotas * quotaMs) / 1_000),
        ...(isFull ? { ':now': now } : { ':latest': getMaxRefilledAt(bytes) }),
      },
    },
  };
};
