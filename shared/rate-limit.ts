import { randomBytes } from 'node:crypto';
import { updateIf } from './conditional-write.ts';
import { setting } from './settings.ts';
import { keys } from './table.ts';

/** A token bucket for each of those whom it counts. A route names those that it takes tokens from. */
export interface RateLimit {
  /** Tells the bucket from others; routes that share a name share the buckets. */
  readonly name: string;
  /** How many tokens a bucket holds, and within how many ms an empty one is full again. */
  readonly tokens: number;
  readonly perMs: number;
}

/** What is left of a bucket after a token was taken, or refused. */
export interface BucketState {
  readonly isTaken: boolean;
  readonly tokens: number;
  readonly remaining: number;
  /** In this many ms there is a token again; 0 while there is one. */
  readonly waitMs: number;
  /** In this many ms it is full. */
  readonly fullInMs: number;
}

/** A slow limiter must not slow every request down. */
const timeoutMs = 1_000;

/** A bucket as the table keeps it: not how full it is but when it will be full again, which needs no clock to run. */
interface StoredBucket {
  readonly fullAt: number;
  /** The last claim, by which a write whose answer was lost is known again. */
  readonly claim: string;
}

/** The bucket's size with RATE_LIMIT_FACTOR, and the ms in which it gains a token. */
const sizeOf = ({ tokens, perMs }: RateLimit) => {
  const size = Math.max(1, Math.round(tokens * setting('RATE_LIMIT_FACTOR')));
  return { size, intervalMs: Math.max(1, Math.round(perMs / size)) };
};

/**
 * Takes a token from somebody's bucket (the generic cell rate algorithm: one conditional write, two while the bucket
 * isn't full). However many ask at once, no more tokens are taken than there are.
 */
export const takeToken = async (limit: RateLimit, who: string): Promise<BucketState> => {
  const { size, intervalMs } = sizeOf(limit);
  const windowMs = size * intervalMs;
  const now = Date.now();
  const claim = randomBytes(9).toString('base64url');
  const write = (expression: string, condition: string, values: Record<string, number>) =>
    updateIf(
      {
        Key: keys.rateLimit(limit.name, who),
        UpdateExpression: `SET ${expression}, claim = :claim, #ttl = :ttl`,
        ConditionExpression: condition,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ...values,
          ':claim': claim,
          ':ttl': Math.ceil((now + 2 * windowMs) / 1_000),
        },
      },
      { timeoutMs },
    );
  const stateOf = (bucket: StoredBucket, isTaken: boolean): BucketState => {
    const room = now + windowMs - bucket.fullAt;
    return {
      isTaken,
      tokens: size,
      remaining: Math.max(0, Math.floor(room / intervalMs)),
      waitMs: Math.max(0, intervalMs - room),
      fullInMs: Math.max(0, bucket.fullAt - now),
    };
  };

  const full = await write('fullAt = :next', 'attribute_not_exists(pk) OR fullAt <= :now', {
    ':next': now + intervalMs,
    ':now': now,
  });
  const seen = full.item as StoredBucket | undefined;
  if (seen && (full.written || seen.claim === claim)) return stateOf(seen, true);
  if (seen && seen.fullAt > now + windowMs - intervalMs) return stateOf(seen, false);
  const next = await write('fullAt = fullAt + :interval', 'fullAt <= :latest', {
    ':interval': intervalMs,
    ':latest': now + windowMs - intervalMs,
  });
  const bucket = (next.item as StoredBucket | undefined) ?? { fullAt: now + windowMs, claim: '' };
  return stateOf(bucket, next.written || bucket.claim === claim);
};

/** Gives a token back that was taken. */
export const returnToken = async (limit: RateLimit, who: string): Promise<void> => {
  await updateIf(
    {
      Key: keys.rateLimit(limit.name, who),
      UpdateExpression: 'SET fullAt = fullAt - :interval',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':interval': sizeOf(limit).intervalMs },
    },
    { timeoutMs },
  );
};
