import { withDeadline } from '../runtime/deadline.ts';
import { AppError } from '../runtime/errors.ts';
import { failOpen } from './middleware/rate-limit.ts';
import { consumeToken, type RateLimit, refundToken } from './rate-limit.ts';

const timeoutMs = 1_000;

/** A rate limit per pair of sender and recipient. */
export interface PairLimit extends RateLimit {
  /** Body field that contains the recipients. */
  readonly field: string;
  /** What is counted, in the plural, such as `messages`. */
  readonly what: string;
}

/**
 * Counts one action from a user to each recipient. If one recipient's limit is reached, none is counted.
 * @throws AppError RATE_LIMITED with the ids of the recipients whose limit is reached
 */
export const countForEach = async (
  limit: PairLimit,
  senderId: number,
  recipientIds: readonly number[],
): Promise<void> => {
  const pair = (id: number) => `${senderId} ${id}`;
  const results = await withDeadline(timeoutMs, (signal) =>
    Promise.all(
      recipientIds.map(async (id) => ({
        id,
        result: await failOpen(() => consumeToken(limit, pair(id), signal)),
      })),
    ),
  );
  const denied = results.filter(({ result }) => result?.isTaken === false);
  if (denied.length === 0) return;
  const taken = results.filter(({ result }) => result?.isTaken);
  await withDeadline(timeoutMs, (signal) =>
    Promise.all(taken.map(({ id }) => failOpen(() => refundToken(limit, pair(id), signal)))),
  );
  const retryAfterMs = Math.max(...denied.map(({ result }) => result?.retryAfterMs ?? 0));
  const { field, what } = limit;
  const ids = denied.map(({ id }) => id).join(', ');
  throw new AppError('RATE_LIMITED', `Too many ${what} to: ${ids}. Try again later.`, {
    details: [{ field, message: `received too many ${what} from you: ${ids}` }],
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
  });
};
