import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';

/** A message that lies in a queue of the engine. */
export interface HeldMessage {
  readonly body: string;
  /** From when on it is delivered, in milliseconds since the epoch; that of one that is due has passed. */
  readonly dueAt: number;
}

/** SQS on this machine, in this process and in memory. */
export interface QueueEngine {
  readonly endpoint: string;
  /** What lies in a queue, delivered or not, and was not deleted. */
  messagesOf(queueName: string): Promise<HeldMessage[]>;
  close(): Promise<void>;
}

interface Held {
  readonly body: string;
  readonly delayUntil?: number;
}
interface Inspected {
  readonly messages: {
    readonly ready: readonly Held[];
    readonly delayed: readonly Held[];
    readonly inflight: readonly { readonly message: Held }[];
  };
}

/**
 * Starts an engine without queues on 127.0.0.1; port 0 is any free one. Its package's own start would listen on every
 * interface, and what it can keep on disk is to be had by that start only.
 * @throws what listening throws, for instance EADDRINUSE
 */
export const startQueueEngine = async (port = 0): Promise<QueueEngine> => {
  const app = buildApp({ logger: false });
  await app.listen({ host: '127.0.0.1', port });
  return {
    endpoint: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    async messagesOf(queueName) {
      const answer = await app.inject(`/_fauxqs/queues/${queueName}`);
      const { ready, delayed, inflight } = answer.json<Inspected>().messages;
      return [...ready, ...delayed, ...inflight.map(({ message }) => message)].map(
        ({ body, delayUntil = 0 }) => ({ body, dueAt: delayUntil }),
      );
    },
    async close() {
      await app.close();
    },
  };
};
