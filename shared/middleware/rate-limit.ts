import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { AppError } from '../errors.ts';
import { toLogEntry } from '../failure.ts';
import type { CallContext, Middleware } from '../http.ts';
import type { BucketState, RateLimit } from '../rate-limit.ts';
import type { RouteLimit, RouteRequest } from '../route.ts';
import { log, measures } from '../telemetry.ts';

/** The buckets of `shared/rate-limit.ts`; a group without limits does without them. */
export interface Limiter {
  takeToken(limit: RateLimit, who: string): Promise<BucketState>;
  returnToken(limit: RateLimit, who: string): Promise<void>;
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
const headersOf = (
  states: readonly (readonly [RouteLimit, BucketState])[],
): Record<string, string> => {
  const list = (item: (limit: RouteLimit, state: BucketState) => string) =>
    states.map(([limit, state]) => `"${limit.name}";${item(limit, state)}`).join(', ');
  return {
    'ratelimit-policy': list(({ perMs }, { tokens }) => `q=${tokens};w=${seconds(perMs)}`),
    ratelimit: list((_, { remaining, fullInMs }) => `r=${remaining};t=${seconds(fullInMs)}`),
  };
};

/** A limiter that fails lets the request through (decisions §1). */
const unlessItFails = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    log().error('The rate limiter failed', { failure: toLogEntry(error) });
    measures().addMetric('RateLimiterFailures', MetricUnit.Count, 1);
    return undefined;
  }
};

const toRequest = (context: CallContext): RouteRequest => context as unknown as RouteRequest;

/**
 * Takes a token from each of the route's buckets, in their order and up to the first that is empty: who is refused by
 * the narrow bucket of an address takes nothing from the wide one that others share.
 */
export const rateLimit = (limiter: Limiter | undefined): Middleware => ({
  before: async ({ context }) => {
    const { limits } = context.route;
    if (!limits) return;
    if (!limiter) throw new Error('A group with limits has no limiter');
    const states: [RouteLimit, BucketState][] = [];
    for (const limit of limits) {
      const who = limit.by(toRequest(context));
      if (who === undefined) continue;
      const state = await unlessItFails(() => limiter.takeToken(limit, who));
      if (!state) continue;
      states.push([limit, state]);
      context.answerHeaders = headersOf(states);
      if (state.isTaken) continue;
      measures().addMetric('RateLimited', MetricUnit.Count, 1);
      throw new AppError('RATE_LIMITED', `Too many tries: wait ${seconds(state.waitMs)} s`, {
        headers: { 'retry-after': String(Math.max(1, seconds(state.waitMs))) },
      });
    }
  },
  after: async ({ context, response }) => {
    if ((response?.statusCode ?? 500) >= 400) return;
    for (const limit of context.route.limits ?? []) {
      const who = limit.countsFailuresOnly ? limit.by(toRequest(context)) : undefined;
      if (who !== undefined) await unlessItFails(async () => limiter?.returnToken(limit, who));
    }
  },
});
