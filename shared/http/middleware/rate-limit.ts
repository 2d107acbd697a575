import { withDeadline } from '../../runtime/deadline.ts';
import { isThrottled, serializeError, toAppError } from '../../runtime/error-mapping.ts';
import { AppError } from '../../runtime/errors.ts';
import { getLogger, getMetrics } from '../../runtime/telemetry.ts';
import type { Middleware, RequestContext } from '../http.ts';
import type { BucketState, ConsumeResult, RateLimit } from '../rate-limit.ts';
import type { RouteLimit, RouteRequest } from '../route.ts';

/** Consumes and refunds tokens (`shared/http/rate-limit.ts`). Groups without limits do not load it. */
export interface RateLimiter {
  consumeToken(limit: RateLimit, who: string, abortSignal: AbortSignal): Promise<ConsumeResult>;
  refundToken(limit: RateLimit, who: string, abortSignal: AbortSignal): Promise<BucketState>;
}

/** A bucket from which the request consumed a token. */
interface CountedBucket {
  readonly limit: RouteLimit;
  readonly who: string;
  readonly state: BucketState;
}

/** Timeout in ms for all buckets of a request, so that a slow limiter does not slow requests down. */
const timeoutMs = 1_000;

const toSeconds = (ms: number): number => Math.ceil(ms / 1_000);

const toWords = (seconds: number): string => {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
};

/**
 * Creates the rate limit headers. `t` is the time to the next token, because the draft requires `Retry-After` to be no
 * less and `r` to be all that is left until then.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
const toHeaders = (counted: readonly CountedBucket[]): Record<string, string> => {
  const shown = counted.filter(({ limit, state }) => !limit.isShared || state.remaining === 0);
  if (shown.length === 0) return {};
  const list = (item: (one: CountedBucket) => string) =>
    shown.map((one) => `"${one.limit.name}";${item(one)}`).join(', ');
  return {
    'ratelimit-policy': list(({ limit, state }) => `q=${state.tokens};w=${toSeconds(limit.perMs)}`),
    ratelimit: list(({ state }) => `r=${state.remaining};t=${toSeconds(state.retryAfterMs)}`),
  };
};

/**
 * Calls the limiter. If it fails, logs and counts the failure and returns `undefined`, which lets the request through.
 * @throws AppError SERVICE_UNAVAILABLE if the table throttles a limit that guards a password
 */
export const failOpen = async <T>(
  work: () => Promise<T>,
  { guardsPassword = false }: Pick<RouteLimit, 'guardsPassword'> = {},
): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    getLogger().error('Rate limiter failed', { error: serializeError(error) });
    getMetrics().addMetric('RateLimiterFailures', 'Count', 1);
    if (guardsPassword && isThrottled(error)) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many attempts. Try again.', {
        cause: error,
      });
    }
    return undefined;
  }
};

/** Refunds the tokens and returns the new states. */
const refundTokens = (
  limiter: RateLimiter,
  counted: readonly CountedBucket[],
): Promise<CountedBucket[]> =>
  withDeadline(timeoutMs, (signal) =>
    Promise.all(
      counted.map(async (one) => {
        const refund = () => limiter.refundToken(one.limit, one.who, signal);
        return { ...one, state: (await failOpen(refund)) ?? one.state };
      }),
    ),
  );

const rateLimitError = ({ retryAfterMs }: BucketState): AppError => {
  const seconds = Math.max(1, toSeconds(retryAfterMs));
  return new AppError('RATE_LIMITED', `Too many requests. Try again in ${toWords(seconds)}.`, {
    headers: { 'retry-after': String(seconds) },
  });
};

/** Returns whether the request succeeded or found nothing it could fail at. */
const isRefundable = (status: number, { countNotFound = false }: RouteLimit): boolean =>
  status < 400 || (!countNotFound && (status === 404 || status === 410));

/**
 * Consumes a token from each of the route's buckets in order, up to the first empty one. A denied request consumes
 * none, so that one address cannot empty a shared bucket, nor others an address's bucket.
 */
export const rateLimit = (limiter: RateLimiter | undefined): Middleware => {
  const countedByContext = new WeakMap<RequestContext, readonly CountedBucket[]>();
  const refusedByContext = new WeakMap<RequestContext, CountedBucket>();

  /** Refunds everything a refused request consumed, and returns the headers of its response. */
  const refuse = async (counted: readonly CountedBucket[], refused: CountedBucket) => {
    const others = limiter ? await refundTokens(limiter, counted) : counted;
    getMetrics().addMetric('RateLimited', 'Count', 1);
    return toHeaders([...others, refused]);
  };

  const count = async (
    context: RequestContext,
    limits: readonly RouteLimit[],
    signal: AbortSignal,
  ): Promise<void> => {
    if (!limiter) throw new Error('Missing dependency: limiter');
    const counted: CountedBucket[] = [];
    for (const limit of limits) {
      // Validation has added the input.
      const who = await limit.key(context as unknown as RouteRequest);
      if (who === undefined) continue;
      const consume = () => limiter.consumeToken(limit, who, signal);
      const state = await failOpen(consume, limit).catch(async (error) => {
        await refundTokens(limiter, counted);
        throw error;
      });
      if (!state) continue;
      const bucket = { limit, who, state };
      if (state.isTaken) counted.push(bucket);
      else if (limit.isRoutesChoice) {
        context.overLimit = rateLimitError(state);
        refusedByContext.set(context, bucket);
      } else {
        context.responseHeaders = await refuse(counted, bucket);
        throw rateLimitError(state);
      }
    }
    countedByContext.set(context, counted);
    const refused = refusedByContext.get(context);
    context.responseHeaders = toHeaders(refused ? [...counted, refused] : counted);
  };

  /** Refunds tokens of refundable requests. Returns the changed headers, if any. */
  const refund = async (context: RequestContext, status: number) => {
    const counted = countedByContext.get(context);
    if (!limiter || !counted) return undefined;
    const isRefunded = ({ limit }: CountedBucket) =>
      limit.failuresOnly === true && isRefundable(status, limit);
    if (!counted.some(isRefunded)) return undefined;
    const kept = counted.filter((one) => !isRefunded(one));
    return toHeaders([...kept, ...(await refundTokens(limiter, counted.filter(isRefunded)))]);
  };

  return {
    before: ({ context }) => {
      const { limits } = context.route;
      return limits && withDeadline(timeoutMs, (signal) => count(context, limits, signal));
    },
    after: async ({ context, response }) => {
      if (!response) return;
      const status = response.statusCode ?? 200;
      const { overLimit } = context;
      const refused = status === overLimit?.status && refusedByContext.get(context);
      const headers = refused
        ? {
            ...(await refuse(countedByContext.get(context) ?? [], refused)),
            ...overLimit?.headers,
          }
        : await refund(context, status);
      if (headers) response.headers = { ...response.headers, ...headers };
    },
    onError: async ({ context, error }) => {
      const refused = refusedByContext.get(context);
      if (refused && error === context.overLimit) {
        context.responseHeaders = await refuse(countedByContext.get(context) ?? [], refused);
        return;
      }
      const headers = await refund(context, toAppError(error).status);
      if (headers) context.responseHeaders = headers;
    },
  };
};
