import { NodeHttpHandler } from '@smithy/node-http-handler';
import { vi } from 'vitest';
import { dynamoDbClient } from '../../../../shared/db/dynamodb.ts';
import * as deadline from '../../../../shared/runtime/deadline.ts';
import { requestIdHeader } from '../../../support/faults/proxy.ts';
import { pass } from '../../../support/run/virtual-time.ts';

/** A signal of `AbortSignal.timeout`, with its virtual due time. */
interface Deadline {
  readonly at: number;
  readonly controller: AbortController;
}

interface Options {
  readonly abortSignal?: AbortSignal;
  readonly requestTimeout?: number;
}
type Request = Parameters<NodeHttpHandler['handle']>[0];

/** The used parts of the request handler of all clients. */
interface Sender {
  readonly configProvider: Promise<{
    readonly requestTimeout?: number;
    readonly throwOnRequestTimeout?: boolean;
  }>;
  handle(request: Request, options?: Options): Promise<unknown>;
}

interface Backoff {
  computeNextBackoffDelay(attempt: number): number;
}
interface Retries {
  retryBackoffStrategy: Backoff;
  capacity: number;
  refreshRetryTokenForRetry(...args: unknown[]): unknown;
}

/** Delay between a timeout and its event. */
const lateMs = 5;

/** A request without a response yet. */
interface Waiting {
  /** Virtual time at which it ends without a response. */
  readonly at: number;
  isHanging: boolean;
  /** Ends it at that time. */
  end(): void;
}

/** Longer than the work between two requests, in ms. */
const betweenMs = 3;

/** Longer than any test, so that a busy machine causes no timeouts. */
const neverMs = 10 * 60_000;

const timedOut = (name: string) => Object.assign(new Error('The request timed out'), { name });

/**
 * Skips timeouts and the pauses between attempts. When a proxy reports that a request will get no response, its timeout
 * or the caller's signal, whichever is earlier, ends it immediately, and the virtual time advances. A request
 * that nothing would end fails with an explanatory error.
 */
export const startVirtualWaits = async () => {
  let now = 0;
  let count = 0;
  const inFlight = new Map<string, Waiting>();
  const deadlines = new WeakMap<AbortSignal, Deadline>();
  const passTo = (at: number): void => {
    if (at <= now || at === Number.POSITIVE_INFINITY) return;
    // Work with a deadline checks the clock.
    pass(at - now);
    now = at;
  };

  /** Triggers the first timeout when all requests are waiting. */
  const endNext = (): void => {
    const waiting = [...inFlight.values()];
    if (waiting.length === 0 || !waiting.every(({ isHanging }) => isHanging)) return;
    const next = waiting.reduce((first, one) => (one.at < first.at ? one : first));
    passTo(next.at);
    next.end();
    setTimeout(endNext, betweenMs);
  };

  const realTimeout = AbortSignal.timeout;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    deadlines.set(controller.signal, { at: now + ms, controller });
    return controller.signal;
  };

  const realAny = AbortSignal.any;
  AbortSignal.any = (signals) => {
    const any = realAny(signals);
    const [first] = [...signals]
      .flatMap((signal) => deadlines.get(signal) ?? [])
      .sort((a, b) => a.at - b.at);
    if (first) deadlines.set(any, first);
    return any;
  };

  const virtualDeadline = vi
    .spyOn(deadline, 'withDeadline')
    .mockImplementation((ms, work) => work(AbortSignal.timeout(ms)));

  const sender = NodeHttpHandler.prototype as unknown as Sender;
  const realHandle = sender.handle;
  sender.handle = async function (this: Sender, request, options = {}) {
    const { requestTimeout, throwOnRequestTimeout } = await this.configProvider;
    const id = String(++count);
    const started = now;
    request.headers[requestIdHeader] = id;
    const own = new AbortController();
    options.abortSignal?.addEventListener('abort', () => own.abort());
    const sent = realHandle.call(this, request, {
      abortSignal: own.signal,
      requestTimeout: neverMs,
    });
    const given = options.abortSignal && deadlines.get(options.abortSignal);
    const ofRequest = options.requestTimeout ?? (throwOnRequestTimeout ? requestTimeout : 0);
    const timeoutAt = ofRequest ? started + ofRequest + lateMs : Number.POSITIVE_INFINITY;
    const at = Math.min(given?.at ?? Number.POSITIVE_INFINITY, timeoutAt);
    return new Promise((resolve, reject) => {
      const end = () => {
        inFlight.delete(id);
        if (at === Number.POSITIVE_INFINITY) reject(timedOut('WaitsForEver'));
        else if (given?.at === at) reject(timedOut('AbortError'));
        else reject(timedOut('TimeoutError'));
        (given?.at === at ? given.controller : own).abort(timedOut('TimeoutError'));
      };
      inFlight.set(id, { at, isHanging: false, end });
      sent.then(resolve, reject).finally(() => {
        inFlight.delete(id);
        setTimeout(endNext, betweenMs);
      });
    });
  };

  // The SDK classes that wait between attempts. All clients share them.
  const retries = (await dynamoDbClient().config.retryStrategy()) as unknown as Retries;
  const backoff = Object.getPrototypeOf(retries.retryBackoffStrategy) as Backoff;
  const realDelay = backoff.computeNextBackoffDelay;
  backoff.computeNextBackoffDelay = () => 0;
  const strategy = Object.getPrototypeOf(retries) as Retries;
  const realRefresh = strategy.refreshRetryTokenForRetry;
  strategy.refreshRetryTokenForRetry = function (this: Retries, ...args) {
    // Clients stop retrying after many failures, so each test starts with a full retry quota.
    this.capacity = 500;
    return realRefresh.apply(this, args);
  };

  return {
    /** Returns the virtual waiting time since the start, in ms. */
    now: () => now,
    /** Marks the request with this id as never answered. */
    hangs: (requestId: string): void => {
      const waiting = inFlight.get(requestId);
      if (waiting) waiting.isHanging = true;
      setTimeout(endNext, betweenMs);
    },
    stop: () => {
      AbortSignal.timeout = realTimeout;
      AbortSignal.any = realAny;
      virtualDeadline.mockRestore();
      sender.handle = realHandle;
      backoff.computeNextBackoffDelay = realDelay;
      strategy.refreshRetryTokenForRetry = realRefresh;
    },
  };
};

export type VirtualWaits = Awaited<ReturnType<typeof startVirtualWaits>>;
