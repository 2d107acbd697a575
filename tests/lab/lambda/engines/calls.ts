import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Starts what takes Lambda's requests to call functions as events, on 127.0.0.1. `call` calls one by name; its failures are
 * those of the function and logged by it.
 */
export const startCalls = async (call: (name: string, event: unknown) => Promise<unknown>) => {
  const running = new Set<Promise<unknown>>();
  const server = createServer(async (request, response) => {
    const [, name] = request.url?.match(/^\/2015-03-31\/functions\/([^/]+)\/invocations$/) ?? [];
    const body = await text(request);
    if (name === undefined || request.headers['x-amz-invocation-type'] !== 'Event') {
      response.writeHead(501).end(JSON.stringify({ message: `${request.url} is not known here` }));
      return;
    }
    response.writeHead(202).end();
    const run: Promise<unknown> = call(name, body === '' ? {} : JSON.parse(body))
      .catch(() => undefined)
      .finally(() => running.delete(run));
    running.add(run);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits for the functions that were called. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
};
