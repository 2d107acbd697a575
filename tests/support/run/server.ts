import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** Starts a server on a free local port while the tests of a file or `describe` run. */
export const useServer = (server: Server) => {
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get port(): number {
      return (server.address() as AddressInfo).port;
    },
    get origin(): string {
      return `http://127.0.0.1:${this.port}`;
    },
  };
};
