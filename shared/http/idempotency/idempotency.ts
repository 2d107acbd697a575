import type { IdempotencyStore } from './idempotency-key.ts';

/**
 * Answers a request once: the same request again gets the same answer for 24 h, also one that comes after the first
 * attempt made its record and died. A failure is not kept: the same request again tries again.
 * @throws AppError UNPROCESSABLE for another body; CONFLICT while the first request is running
 */
export const replyIdempotently: IdempotencyStore['replyIdempotently'] = async (...request) => {
  // Loaded with the first request that bears a key: most bear none.
  const { replyIdempotently } = await import('./idempotency-store.ts');
  return replyIdempotently(...request);
};
