import { conditionalUpdate } from '../db/conditional-write.ts';
import { createRandomText } from '../db/ids.ts';
import { itemParser } from '../db/item-parser.ts';
import { getSetting } from '../runtime/settings.ts';
import { limitKeys } from './keys.ts';

/** A limit with one token bucket per counted key, such as a user or a network. */
export interface RateLimit {
  /** Bucket name. Limits with the same name share their buckets. */
  readonly name: string;
  /** Bucket size in tokens, and the time in which an empty bucket refills. */
  readonly tokens: number;
  readonly perMs: number;
}

/** State of a bucket after a token was consumed, denied or refunded. */
export interface BucketState {
  /** Bucket size in tokens. */
  readonly tokens: number;
  readonly remaining: number;
  /** Time in ms until the next token; 0 if the bucket is full. */
  readonly retryAfterMs: number;
}

/** Result of trying to consume a token. */
export interface ConsumeResult extends BucketState {
  readonly isTaken: boolean;
}

/** A stored bucket. It contains when the bucket will be full instead of its level, so no timer has to refill it. */
interface StoredBucket {
  readonly refilledAt: number;
  /** Id of the last write, which recognizes a retry after a lost response. */
  readonly claim: string;
}

/** Parses a stored bucket. */
const parseBucket = itemParser<StoredBucket>('rate limit', ['refilledAt']);

/** Returns the bucket size scaled by RATE_LIMIT_FACTOR, and the ms per token. */
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
 * Consumes a token, or several at once, by the generic cell rate algorithm: one conditional write for a full or an empty bucket, two for
 * others. Concurrent requests never consume more tokens than there are. A retry after a lost response consumes one
 * token, or a second one if another request came first.
 */
export const consumeToken = async (
  limit: RateLimit,
  who: string,
  abortSignal: AbortSignal,
  count = 1,
): Promise<ConsumeResult> => {
  const { size, intervalMs } = getSize(limit);
  const windowMs = size * intervalMs;
  const takenMs = count * intervalMs;
  const now = Date.now();
  const latest = now + windowMs - takenMs;
  const claim = createRandomText(9);
  const write = async (expression: string, condition: string, values: Record<string, number>) => {
    const { written, item } = await conditionalUpdate(
      {
        Key: limitKeys.bucket.at({ limit: limit.name, who }),
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
    const bucket = parseBucket(item);
    if (!bucket) throw new Error('The bucket disappeared during use');
    return { bucket, isTaken: written || bucket.claim === claim };
  };

  const first = await write(
    'refilledAt = :next',
    'attribute_not_exists(pk) OR refilledAt <= :now',
    {
      ':next': now + takenMs,
      ':now': now,
    },
  );
  const isDecided = first.isTaken || first.bucket.refilledAt > latest;
  const { bucket, isTaken } = isDecided
    ? first
    : // A retry after a lost response must not consume a second token.
      await write(
        'refilledAt = refilledAt + :interval',
        'refilledAt <= :latest AND claim <> :claim',
        {
          ':interval': takenMs,
          ':latest': latest,
        },
      );
  return { ...getState(limit, bucket, now), isTaken };
};

/** Refunds a token in one conditional write. A retry after a lost response refunds it once, as in `consumeToken`. */
export const refundToken = async (
  limit: RateLimit,
  who: string,
  abortSignal: AbortSignal,
): Promise<BucketState> => {
  const { item } = await conditionalUpdate(
    {
      Key: limitKeys.bucket.at({ limit: limit.name, who }),
      UpdateExpression: 'SET refilledAt = refilledAt - :interval, claim = :claim',
      ConditionExpression: 'attribute_exists(pk) AND claim <> :claim',
      ExpressionAttributeValues: {
        ':interval': getSize(limit).intervalMs,
        ':claim': createRandomText(9),
      },
    },
    { abortSignal },
  );
  // A missing bucket is full.
  const bucket = parseBucket(item) ?? { refilledAt: 0, claim: '' };
  return getState(limit, bucket, Date.now());
};
