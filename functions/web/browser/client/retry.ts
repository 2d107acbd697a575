import type { ApiError } from './api-error.ts';

/** What decides whether a request may be repeated. */
export interface RetriedRequest {
  readonly method: string;
  /** Whether the service recognizes a repetition: it has an Idempotency-Key, or creates nothing. */
  readonly isRepeatable: boolean;
  /** Whether it changes a record of a certain version. */
  readonly isConditional: boolean;
}

/** The first attempt included. */
export const maxAttempts = 4;

/** How long to spend on repeating a call by default. ms. */
export const defaultRetryMs = 10_000;

const firstPauseMs = 500;

/** Spreads the repetitions of clients that failed at the same time. */
const spread = (ms: number): number => ms + Math.random() * firstPauseMs;

const isLost = ({ status, code }: ApiError): boolean =>
  (status === 0 && code === 'UNREACHABLE') || (status >= 502 && status <= 504);

/**
 * Returns how long to wait before repeating a request, or `undefined` if it must not be repeated.
 *
 * When the service says `Retry-After`, it has not carried out the request. When the response is lost, it may have: then
 * a DELETE would find nothing and a conditional change would conflict with itself.
 */
export const getRetryDelay = (
  error: ApiError,
  attempt: number,
  { method, isRepeatable, isConditional }: RetriedRequest,
): number | undefined => {
  const { status, retryAfterMs } = error;
  const isSafe = method === 'GET' || isRepeatable;
  if (retryAfterMs !== undefined) {
    const isDelayed =
      status === 429 || status === 503 || (status === 409 && method === 'POST' && isRepeatable);
    return isDelayed && (isSafe || method !== 'POST') ? spread(retryAfterMs) : undefined;
  }
  const isRepeatedBlindly = isSafe || (method === 'PUT' && !isConditional);
  return isLost(error) && isRepeatedBlindly ? spread(firstPauseMs * 2 ** (attempt - 1)) : undefined;
};
