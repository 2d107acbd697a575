import { randomBytes } from 'node:crypto';
import { conditionalUpdate } from '../db/conditional-write.ts';
import { keys } from '../db/table.ts';
import { getSetting } from '../runtime/settings.ts';

/** A token bucket for each of those whom it counts. A route names those that it takes tokens from. */
export interface RateLimit {
  /** Tells the bucket from others; routes that share a name share the buckets. */
  readonly name: string;
  /** How many tokens a bucket holds, and within how many ms an empty one is full again. */
  readonly tokens: number;
  readonly perMs: number;
}

/** What is in a bucket after a token was taken, refused or given back. */
export interface BucketState {
  /** How many tokens it holds when it is full. */
  readonly tokens: number;
  readonly remaining: number;
  /** In this many ms there is one more; 0 when it is full. */
  readonly retryAfterMs: number;
}

/** What became of a try to take a token. */
export interface ConsumeResult extends BucketState {
  readonly isTaken: boolean;
}

/** A bucket as the table keeps it: not how full it is but when it will be full again, which needs no clock to run. */
interface StoredBucket {
  readonly refilledAt: number;
  /** The last one who took a token, by whom a write whose answer was lost is known again. */
  readonly claim: string;
}

/** The bucket's size with RATE_LIMIT_FACTOR, and the whole ms in which it gains a token. */
const getSize = ({ tokens, perMs }: RateLimit) => {
  const size = Math.min(perMs, Math.max(1, Math.round(tokens * getSetting('RATE_LIMIT_FACTOR'))));
  return { size, intervalMs: Math.floor(perMs / size) };
};

const getState = (limit: RateLimit, { refilledAt }: StoredBucket, now: number): BucketState => {
  const { size, intervalMs } = getSize(limit);
  const missingMs = Math.max(0, refilledAt - now);
  const missing = Math.min(size, Math.ceil(missingMs / intervalMs));
  return {
    tokens: size,
    remaining: size - missing,
    retryAfterMs: missing === 0 ? 0 : missingMs - (missing - 1) * intervalMs,
  };
};

/**
 * Takes a token from somebody's bucket, unless the signal stops it (the generic cell rate algorithm: one conditional
 * write for a full or an empty bucket, two for others). However many ask at once, no more tokens are taken than there
 * are. A write whose answer was lost takes one token, or a second one if somebody else came before its retry.
 */
export const consumeToken = async (
  limit: RateLimit,
  who: string,
  abortSignal: AbortSignal,
): Promise<ConsumeResult> => {
  const { size, intervalMs } = getSize(limit);
  const windowMs = size * intervalMs;
  const now = Date.now();
  const latest = now + windowMs - intervalMs;
  const claim = randomBytes(9).toString('base64url');
  const write = async (expression: string, condition: string, values: Record<string, number>) => {
    const { written, item } = await conditionalUpdate(
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
      { abortSignal },
    );
    const bucket = item as unknown as StoredBucket | undefined;
    if (!bucket) throw new Error('A bucket vanished while it was in use');
    return { bucket, isTaken: written || bucket.claim === claim };
  };

  const first = await write(
    'refilledAt = :next',
    'attribute_not_exists(pk) OR refilledAt <= :now',
    {
      ':next': now + intervalMs,
      ':now': now,
    },
  );
  const isDecided = first.isTaken || first.bucket.refilledAt > latest;
  const { bucket, isTaken } = isDecided
    ? first
    : // Sent again after a lost answer, it must not find a second token.
      await write(
        'refilledAt = refilledAt + :interval',
        'refilledAt <= :latest AND claim <> :claim',
        {
          ':interval': intervalMs,
          ':latest': latest,
        },
      );
  return { ...getState(limit, bucket, now), isTaken };
};

/**
 * Gives a token back that was taken, unless the signal stops it, in one conditional write. One whose answer was lost
 * gives one token back, as `consumeToken` takes one.
 */
export const refundToken = async (
  limit: RateLimit,
  who: string,
  abortSignal: AbortSignal,
): Promise<BucketState> => {
  const { item } = await conditionalUpdate(
    {
      Key: keys.rateLimit(limit.name, who),
      UpdateExpression: 'SET refilledAt = refilledAt - :interval, claim = :claim',
      ConditionExpression: 'attribute_exists(pk) AND claim <> :claim',
      ExpressionAttributeValues: {
        ':interval': getSize(limit).intervalMs,
        ':claim': randomBytes(9).toString('base64url'),
      },
    },
    { abortSignal },
  );
  // A bucket that isn't kept is full.
  const bucket = (item as StoredBucket | undefined) ?? { refilledAt: 0, claim: '' };
  return getState(limit, bucket, Date.now());
};
