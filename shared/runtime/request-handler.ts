import { NodeHttpHandler } from '@smithy/node-http-handler';
import { withDeadline } from './deadline.ts';
import { createTurns } from './turns.ts';

/** Calls under way to one service, as many as its agent has sockets; more only wait within the agent. */
const maxCalls = 50;
/** A call waits so long (ms) for its turn. */
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
    const within = <Result>(ms: number, work: (signal: AbortSignal) => Promise<Result>) =>
      withDeadline(ms, async (late) => {
        const signal = abortSignal ? AbortSignal.any([late, abortSignal as AbortSignal]) : late;
        try {
          return await work(signal);
        } catch (error) {
          // The SDK tries again what took too long, but not what its caller gave up.
          if (late.aborted) throw late.reason;
          throw abortSignal?.aborted ? new DOMException('Request aborted', 'AbortError') : error;
        }
      });

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
 * Sends the calls of one AWS client, at most 50 at a time. A try has `timeoutMs` to be answered, which is counted only once
 * it is sent and while this process could notice the answer: what waits here, or in a process that is held, is no delay of
 * the service, and to send it again would only make the process busier.
 * @throws TimeoutError when there is no answer in time, or no turn within 10 s
 */
export const createRequestHandler = (timeoutMs: number): NodeHttpHandler =>
  new PacedHandler(timeoutMs);
