import { NodeHttpHandler } from '@smithy/node-http-handler';
import { dynamoDbClient } from '../../../shared/dynamodb.ts';
import { requestIdHeader } from './proxy.ts';

/** A signal of `AbortSignal.timeout`, and when it is due by the virtual clock. */
interface Deadline {
  readonly at: number;
  readonly controller: AbortController;
}

interface Options {
  readonly abortSignal?: AbortSignal;
  readonly requestTimeout?: number;
}
type Request = Parameters<NodeHttpHandler['handle']>[0];

/** The handler that every client sends by, as far as it is reached into. */
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

/** Longer than any test: what is answered is never late because the machine is busy. */
const neverMs = 10 * 60_000;

const timedOut = (name: string) => Object.assign(new Error('The request timed out'), { name });

/**
 * Lets time-outs and the pauses between tries take no time: a request that a proxy tells will never be answered runs into
 * its own time-out or the signal of its caller at once, whichever is set for earlier, and a clock that counts such waits moves
 * on by as much. A request that nothing would ever end fails with a message that says so.
 */
export const startVirtualWaits = async () => {
  let now = 0;
  let count = 0;
  const hanging = new Map<string, () => void>();
  const deadlines = new WeakMap<AbortSignal, Deadline>();
  const passTo = (at: number): void => {
    now = Math.max(now, at);
  };

  const realTimeout = AbortSignal.timeout;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    deadlines.set(controller.signal, { at: now + ms, controller });
    return controller.signal;
  };

  const sender = NodeHttpHandler.prototype as unknown as Sender;
  const realHandle = sender.handle;
  sender.handle = async function (this: Sender, request, options = {}) {
    const { requestTimeout, throwOnRequestTimeout } = await this.configProvider;
    const id = String(++count);
    const started = now;
    request.headers[requestIdHeader] = id;
    const sent = realHandle.call(this, request, { ...options, requestTimeout: neverMs });
    const given = options.abortSignal && deadlines.get(options.abortSignal);
    const ofRequest = options.requestTimeout ?? (throwOnRequestTimeout ? requestTimeout : 0);
    const timeoutAt = ofRequest ? started + ofRequest : Number.POSITIVE_INFINITY;
    return new Promise((resolve, reject) => {
      hanging.set(id, () => {
        if (given && given.at <= timeoutAt) {
          passTo(given.at);
          given.controller.abort(timedOut('TimeoutError'));
        } else if (timeoutAt < Number.POSITIVE_INFINITY) {
          passTo(timeoutAt);
          reject(timedOut('TimeoutError'));
        } else {
          reject(timedOut('WaitsForEver'));
        }
      });
      sent.then(resolve, reject).finally(() => hanging.delete(id));
    });
  };

  // The classes of the SDK that wait between tries; all clients share them.
  const retries = (await dynamoDbClient().config.retryStrategy()) as unknown as Retries;
  const backoff = Object.getPrototypeOf(retries.retryBackoffStrategy) as Backoff;
  const realDelay = backoff.computeNextBackoffDelay;
  backoff.computeNextBackoffDelay = () => 0;
  const strategy = Object.getPrototypeOf(retries) as Retries;
  const realRefresh = strategy.refreshRetryTokenForRetry;
  strategy.refreshRetryTokenForRetry = function (this: Retries, ...args) {
    // The clients give up retrying after many failures: each test is to begin with a client that has seen none.
    this.capacity = 500;
    return realRefresh.apply(this, args);
  };

  return {
    /** How many ms would have been waited for answers since the start. */
    now: () => now,
    /** The request with this id will never be answered. Says whether its client heard of it. */
    hangs: (requestId: string): boolean => {
      const hear = hanging.get(requestId);
      hear?.();
      return hear !== undefined;
    },
    stop: () => {
      AbortSignal.timeout = realTimeout;
      sender.handle = realHandle;
      backoff.computeNextBackoffDelay = realDelay;
      strategy.refreshRetryTokenForRetry = realRefresh;
    },
  };
};

export type VirtualWaits = Awaited<ReturnType<typeof startVirtualWaits>>;
