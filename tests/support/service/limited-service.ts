import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, vi } from 'vitest';
import { listGroups } from '../../../functions/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { useServer } from '../run/server.ts';

interface Sent {
  readonly headers?: Record<string, string>;
  /** Objects are sent as JSON, strings unchanged. */
  readonly body?: unknown;
  readonly token?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Repeats a status. */
export const times = (count: number, status: number) => Array<number>(count).fill(status);

/** Returns the statuses of n sequential attempts. */
export const statusesOf = async (attempts: number, work: (index: number) => Promise<Answered>) => {
  const statuses: number[] = [];
  for (let index = 0; index < attempts; index++) statuses.push((await work(index)).status);
  return statuses;
};

/**
 * Starts the service behind its local gateway with the default rate limits and a fixed clock. Each test has its own
 * client address.
 */
export const useLimitedService = () => {
  const server = createGateway(listGroups('service'), () => undefined);
  const start = Date.now();
  let used = 0;
  let address = '';
  server.on('connection', (socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: address });
  });
  const listening = useServer(server);

  const service = {
    start,
    /** Sends the next requests from this address, by default an unused one. */
    moveTo(other = `198.51.${++used >> 8}.${used & 255}`) {
      address = other;
    },
    /** Sends a request without normalizing its path. */
    async send(endpoint: string, { headers, body, token }: Sent = {}): Promise<Answered> {
      const [method = '', path = ''] = endpoint.split(' ');
      const request = httpRequest({
        host: '127.0.0.1',
        port: listening.port,
        method,
        path,
        headers: {
          connection: 'close',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      });
      request.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
      const [response] = await once(request, 'response');
      let text = '';
      for await (const chunk of response) text += chunk;
      return { status: response.statusCode, headers: response.headers, text };
    },
  };

  beforeEach(() => {
    process.env['RATE_LIMIT_FACTOR'] = '1';
    service.moveTo();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  return service;
};
