import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';
import { createCallCheck, RefusedCall, readCall, sendRefusal } from '../host/json-signature.ts';
import { createLocalServer } from '../host/local-server.ts';
import { type Credentials, ownCredentials } from '../host/signature.ts';

const jsonType = 'application/x-amz-json-1.0';
const maxBodyBytes = 2 * 1024 * 1024;

/** A message in a queue of the engine. */
export interface QueuedMessage {
  readonly body: string;
  /** The earliest delivery, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** A local SQS, in this process and in memory. */
export interface QueueEngine {
  readonly endpoint: string;
  /** Lists the messages of a queue that are not deleted, delivered or not. */
  listMessages(queueName: string): Promise<QueuedMessage[]>;
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

/** Tells SQS requests from others: the engine's package also serves S3, SNS and its own pages. */
const isQueueCall = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'POST' &&
  url === '/' &&
  headers['content-type'] === jsonType &&
  /^AmazonSQS\.\w+$/.test(String(headers['x-amz-target']));

/**
 * Starts an engine without queues on 127.0.0.1, for requests signed with this key, by default the process's own. Port 0
 * takes any free port. The package's own start would listen on every interface.
 * @throws the errors of `listen`, such as EADDRINUSE
 */
export const startQueueEngine = async (
  port = 0,
  credentials: Credentials = ownCredentials(),
): Promise<QueueEngine> => {
  const app = buildApp({ logger: false });
  await app.ready();
  const check = createCallCheck('sqs', credentials);

  const serve = async (request: IncomingMessage) => {
    if (!isQueueCall(request)) {
      throw new RefusedCall('UnknownOperationException', 'Only SQS requests are supported', 404);
    }
    const payload = await readCall(request, maxBodyBytes);
    await check(request, payload);
    const { host = '', 'x-amz-target': target } = request.headers;
    const headers = { host, 'content-type': jsonType, 'x-amz-target': String(target) };
    return app.inject({ method: 'POST', url: '/', headers, payload });
  };

  const server = createLocalServer(async (request, response) => {
    try {
      const { statusCode, headers, rawPayload } = await serve(request);
      const { date: _, ...rest } = headers;
      response.writeHead(statusCode, rest).end(rawPayload);
    } catch (error) {
      // The client disconnected.
      if (error instanceof RefusedCall) sendRefusal(response, error);
      else response.destroy();
    }
  });
  // Longer than clients keep connections, so that none is closed while a request is in flight.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async listMessages(queueName) {
      const response = await app.inject(`/_fauxqs/queues/${queueName}`);
      const { ready, delayed, inflight } = response.json<Inspected>().messages;
      return [...ready, ...delayed, ...inflight.map(({ message }) => message)].map(
        ({ body, delayUntil = 0 }) => ({ body, dueAt: delayUntil }),
      );
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      await app.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
