import { withDeadline } from '../runtime/deadline.ts';
import { AppError } from '../runtime/errors.ts';
import { failOpen } from './middleware/rate-limit.ts';
import { consumeToken, type RateLimit, refundToken } from './rate-limit.ts';

const timeoutMs = 1_000;

/** What is counted of one user to each of some others, and how a refusal calls it. */
export interface PairLimit extends RateLimit {
  /** The field of the body that names the others. */
  readonly field: string;
  /** What they had too many of, such as `messages`. */
  readonly what: string;
}

/**
 * Counts something from one user to each of some others. Who is refused for one of them is counted for none.
 * @throws AppError RATE_LIMITED that names those who have had too many from this user
 */
export const countForEach = async (
  limit: PairLimit,
  senderId: number,
  recipientIds: readonly number[],
): Promise<void> => {
  const pair = (id: number) => `${senderId} ${id}`;
  const takings = await withDeadline(timeoutMs, (signal) =>
    Promise.all(
      recipientIds.map(async (id) => ({
        id,
        taking: await failOpen(() => consumeToken(limit, pair(id), signal)),
      })),
    ),
  );
  const refused = takings.filter(({ taking }) => taking?.isTaken === false);
  if (refused.length === 0) return;
  const taken = takings.filter(({ taking }) => taking?.isTaken);
  await withDeadline(timeoutMs, (signal) =>
    Promise.all(taken.map(({ id }) => failOpen(() => refundToken(limit, pair(id), signal)))),
  );
  const retryAfterMs = Math.max(...refused.map(({ taking }) => taking?.retryAfterMs ?? 0));
  const { field, what } = limit;
  const ids = refused.map(({ id }) => id).join(', ');
  throw new AppError('RATE_LIMITED', `Too many ${what} to: ${ids}. Try again later.`, {
    details: [{ field, message: `received too many ${what} from you: ${ids}` }],
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
  });
};
