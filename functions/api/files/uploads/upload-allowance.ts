import { tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { uploadTtlMs } from '../record/file.ts';

/*
 * What a form has reserved is given back when its upload is called off, completed and deleted, or over, and the form may
 * bring its bytes nevertheless, which lie in the bucket until they are deleted. So what forms may bring has a bound of its
 * own: a token bucket of bytes for each user, by the generic cell rate algorithm, as in `shared/http/rate-limit.ts`.
 */

/** A form's object may still be on its way when the form has expired. */
const lateMs = 3_600_000;

/** How long (ms) what a form brings may lie in the bucket: it is deleted then, whatever became of the upload. */
export const formBytesMs = uploadTtlMs + lateMs;

/** A full bucket holds so many quotas of bytes; an empty one gains a quota while what was brought before is deleted. */
const quotas = 2;

/** A bucket as the table keeps it: when (ms since 1970) it will be full again. */
interface StoredBucket {
  readonly refilledAt: number;
}

/** The key of a user's bucket. */
export const formBytesKey = (userId: number) => keys.rateLimit('form-bytes', String(userId));

const getRefilledAt = (item: Record<string, unknown> | undefined): number =>
  (item as StoredBucket | undefined)?.refilledAt ?? 0;

/** How long (ms) a bucket takes to gain so many bytes. */
const msToRefill = (bytes: number): number =>
  Math.ceil((bytes * formBytesMs) / getSetting('FILES_QUOTA'));

/** The latest that a bucket may be full again after so many bytes were taken, less the time that they take. */
const latestFor = (bytes: number): number => Date.now() + quotas * formBytesMs - msToRefill(bytes);

/**
 * Refuses a form of a file that fits into the quota, by the user's bucket as it was read; whether it holds enough is
 * decided when the upload is recorded.
 * @throws AppError RATE_LIMITED
 */
export const assertAllowance = (item: Record<string, unknown> | undefined, bytes: number): void => {
  const missingMs = getRefilledAt(item) - latestFor(bytes);
  if (bytes === 0 || missingMs <= 0) return;
  throw new AppError('RATE_LIMITED', 'Upload limit reached (twice your quota). Try again later.', {
    headers: { 'retry-after': String(Math.ceil(missingMs / 1_000)) },
  });
};

/**
 * The write that takes bytes from a user's bucket, as it was read, for the transaction that records the upload. It fails
 * where the bucket does not hold them, or is another kind by now: full or not.
 */
export const consumeAllowance = (
  userId: number,
  item: Record<string, unknown> | undefined,
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
        ':ttl': Math.ceil((now + quotas * formBytesMs) / 1_000),
        ...(isFull ? { ':now': now } : { ':latest': latestFor(bytes) }),
      },
    },
  };
};
