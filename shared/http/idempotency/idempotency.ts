import type { IdempotencyStore } from './idempotency-key.ts';

/**
 * Runs a request at most once. Repeating it with the same key and body returns the same response for 24 hours, even if
 * the first attempt stopped after creating its record. Errors are not stored, so a repeated request tries again.
 * @throws AppError UNPROCESSABLE for a different body; CONFLICT while the first request is in progress
 */
export const replyIdempotently: IdempotencyStore['replyIdempotently'] = async (...request) => {
  // Loaded with the first key, because most requests have none.
  const { replyIdempotently } = await import('./idempotency-store.ts');
  return replyIdempotently(...request);
};
