import { NodeHttpHandler } from '@smithy/node-http-handler';
import { withDeadline } from './deadline.ts';
import { getTimeLeft, outOfTime } from './time-left.ts';
import { createTurns } from './turns.ts';

/** Concurrent calls to one service, equal to the agent's sockets. More would wait within the agent. */
const maxCalls = 50;
/** Maximum wait in ms for a turn. */
const maxWaitMs = 10_000;

type Handle = NodeHttpHandler['handle'];

class PacedHandler extends NodeHttpHandler {
  readonly #timeoutMs: number;
  readonly #turns = createTurns(maxCalls);

  constructor(timeoutMs: number) {
    super();
    this.#timeoutMs = timeoutMs;
  }

  override async handle(...[request, options = {}]: Parameters<Handle>): ReturnType<Handle> {
    const { abortSignal, requestTimeout = this.#timeoutMs } = options;
    const within = <Result>(limitMs: number, work: (signal: AbortSignal) => Promise<Result>) => {
      const ms = Math.min(limitMs, getTimeLeft());
      if (ms <= 0) throw outOfTime();
      return withDeadline(ms, async (late) => {
        const signal = abortSignal ? AbortSignal.any([late, abortSignal as AbortSignal]) : late;
        try {
          return await work(signal);
        } catch (error) {
          // The SDK retries timeouts, but not what its caller aborted.
          if (late.aborted) throw late.reason;
          throw abortSignal?.aborted ? new DOMException('Request aborted', 'AbortError') : error;
        }
      });
    };

    await within(maxWaitMs, (signal) => this.#turns.take(signal));
    try {
      const output = await within(requestTimeout, (signal) =>
        super.handle(request, { abortSignal: signal }),
      );
      output.response.body.once('close', () => this.#turns.giveBack());
      return output;
    } catch (error) {
      this.#turns.giveBack();
      throw error;
    }
  }
}

/**
 * Creates the request handler of an AWS client with up to 50 concurrent calls. An attempt has `timeoutMs` from when it
 * is sent, counted only while this process could notice the response: waiting here or in a blocked process is no delay
 * of the service, and a retry would only add load. It ends before the invocation does.
 * @throws TimeoutError without a response in time, or without a turn within 10 s
 */
export const createRequestHandler = (timeoutMs: number): NodeHttpHandler =>
  new PacedHandler(timeoutMs);
