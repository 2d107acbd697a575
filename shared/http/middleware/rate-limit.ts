import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { withDeadline } from '../../runtime/deadline.ts';
import { isThrottled, toAppError, toLogEntry } from '../../runtime/error-mapping.ts';
import { AppError } from '../../runtime/errors.ts';
import { log, measures } from '../../runtime/telemetry.ts';
import type { CallContext, Middleware } from '../http.ts';
import type { BucketState, RateLimit, Taking } from '../rate-limit.ts';
import type { RouteLimit, RouteRequest } from '../route.ts';

/** The buckets of `shared/http/rate-limit.ts`; a group without limits does without them. */
export interface Limiter {
  takeToken(limit: RateLimit, who: string, abortSignal: AbortSignal): Promise<Taking>;
  returnToken(limit: RateLimit, who: string, abortSignal: AbortSignal): Promise<BucketState>;
}

/** A bucket that a request was counted in. */
interface Counted {
  readonly limit: RouteLimit;
  readonly who: string;
  readonly state: BucketState;
}

/** A slow limiter must not slow requests down: this is for all buckets of a request together. */
const timeoutMs = 1_000;

const toSeconds = (ms: number): number => Math.ceil(ms / 1_000);

const toWords = (seconds: number): string => {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
};

/**
 * `t` is the time to the next token: the draft wants `Retry-After` to be no less, and within it `r` is all there is.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
const headersOf = (counted: readonly Counted[]): Record<string, string> => {
  const told = counted.filter(({ limit, state }) => !limit.isShared || state.remaining === 0);
  if (told.length === 0) return {};
  const list = (item: (one: Counted) => string) =>
    told.map((one) => `"${one.limit.name}";${item(one)}`).join(', ');
  return {
    'ratelimit-policy': list(({ limit, state }) => `q=${state.tokens};w=${toSeconds(limit.perMs)}`),
    ratelimit: list(({ state }) => `r=${state.remaining};t=${toSeconds(state.nextMs)}`),
  };
};

/**
 * A limiter that fails lets the request through, which is logged and counted; it answers `undefined` then.
 * @throws AppError SERVICE_UNAVAILABLE for the limit of a password that the table throttles
 */
export const unlessItFails = async <T>(
  work: () => Promise<T>,
  { guardsPassword = false }: Pick<RouteLimit, 'guardsPassword'> = {},
): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    log().error('The rate limiter failed', { failure: toLogEntry(error) });
    measures().addMetric('RateLimiterFailures', MetricUnit.Count, 1);
    if (guardsPassword && isThrottled(error)) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many attempts. Try again in a moment.', {
        cause: error,
      });
    }
    return undefined;
  }
};

/** Gives the tokens back, and answers what is in the buckets then. */
const giveBack = (limiter: Limiter, counted: readonly Counted[]): Promise<Counted[]> =>
  withDeadline(timeoutMs, (signal) =>
    Promise.all(
      counted.map(async (one) => {
        const back = () => limiter.returnToken(one.limit, one.who, signal);
        return { ...one, state: (await unlessItFails(back)) ?? one.state };
      }),
    ),
  );

const refusal = ({ nextMs }: BucketState): AppError => {
  const seconds = Math.max(1, toSeconds(nextMs));
  return new AppError('RATE_LIMITED', `Too many requests: try again in ${toWords(seconds)}`, {
    headers: { 'retry-after': String(seconds) },
  });
};

/** Has a request not failed, or found nothing that it could fail at? */
const isInnocent = (status: number, { countsMisses = false }: RouteLimit): boolean =>
  status < 400 || (!countsMisses && (status === 404 || status === 410));

/**
 * Takes a token from each of the route's buckets, in their order and up to the first that is empty. A request that is
 * refused takes none: neither does one address empty the bucket that others share, nor do others empty an address's.
 */
export const rateLimit = (limiter: Limiter | undefined): Middleware => {
  const countedOf = new WeakMap<CallContext, readonly Counted[]>();

  const count = async (
    context: CallContext,
    limits: readonly RouteLimit[],
    signal: AbortSignal,
  ): Promise<void> => {
    if (!limiter) throw new Error('A group with limits has no limiter');
    const counted: Counted[] = [];
    for (const limit of limits) {
      const who = limit.by(context as unknown as RouteRequest);
      if (who === undefined) continue;
      const take = () => limiter.takeToken(limit, who, signal);
      const state = await unlessItFails(take, limit).catch(async (error) => {
        await giveBack(limiter, counted);
        throw error;
      });
      if (!state) continue;
      if (!state.isTaken) {
        const others = await giveBack(limiter, counted);
        context.answerHeaders = headersOf([...others, { limit, who, state }]);
        measures().addMetric('RateLimited', MetricUnit.Count, 1);
        throw refusal(state);
      }
      counted.push({ limit, who, state });
    }
    countedOf.set(context, counted);
    context.answerHeaders = headersOf(counted);
  };

  /** Answers the headers where they have changed. */
  const settle = async (context: CallContext, status: number) => {
    const counted = countedOf.get(context);
    if (!limiter || !counted) return undefined;
    const isReturned = ({ limit }: Counted) =>
      limit.countsFailuresOnly === true && isInnocent(status, limit);
    if (!counted.some(isReturned)) return undefined;
    const kept = counted.filter((one) => !isReturned(one));
    return headersOf([...kept, ...(await giveBack(limiter, counted.filter(isReturned)))]);
  };

  return {
    before: ({ context }) => {
      const { limits } = context.route;
      return limits && withDeadline(timeoutMs, (signal) => count(context, limits, signal));
    },
    after: async ({ context, response }) => {
      if (!response) return;
      const headers = await settle(context, response.statusCode ?? 200);
      if (headers) response.headers = { ...response.headers, ...headers };
    },
    onError: async ({ context, error }) => {
      const headers = await settle(context, toAppError(error).status);
      if (headers) context.answerHeaders = headers;
    },
  };
};
