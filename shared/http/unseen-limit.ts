import { withDeadline } from '../runtime/deadline.ts';
import { failOpen } from './middleware/rate-limit.ts';
import { consumeToken, type RateLimit } from './rate-limit.ts';
import type { RouteLimit } from './route.ts';

const timeoutMs = 1_000;

/**
 * Consumes a token of a bucket that no header shows. Returns whether there was one, or whether the limiter failed.
 * @throws AppError SERVICE_UNAVAILABLE if the table throttles a limit that guards a password
 */
export const takeUnseen = async (
  limit: RateLimit & Pick<RouteLimit, 'guardsPassword'>,
  who: string,
): Promise<boolean> => {
  const result = await withDeadline(timeoutMs, (signal) =>
    failOpen(() => consumeToken(limit, who, signal), limit),
  );
  return result?.isTaken ?? true;
};
