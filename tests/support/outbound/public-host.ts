import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Network } from '../../../shared/outbound/network.ts';
import { certificate, key } from './certificate.ts';

/** The address of the hosts that tests serve, and of all names by default. */
export const publicAddress = '93.184.215.14';

/** What one test decides of a host. */
interface Host {
  answer: RequestListener;
  /** The addresses of its names, in the order of the questions; the last ones stay. */
  addresses: readonly (readonly string[])[];
}

/**
 * Serves https in this process, as the only host of an internet: each test says what it answers and what its names resolve to.
 * `network` counts the names that were asked, the addresses that were connected to and the requests.
 */
export const usePublicHost = () => {
  const host: Host = { answer: () => undefined, addresses: [] };
  const seen = { names: [] as string[], addresses: [] as string[], requests: [] as string[] };
  const server = createServer(
    { cert: certificate, key, minVersion: 'TLSv1.2' },
    (request, response) => {
      seen.requests.push(`${request.headers.host}${request.url}`);
      host.answer(request, response);
    },
  );
  // A client that leaves amid the handshake is what some tests are about.
  server.on('tlsClientError', () => undefined);
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    host.answer = (_request, response) => {
      response.setHeader('content-type', 'application/json').end('{}');
    };
    host.addresses = [[publicAddress]];
    for (const list of Object.values(seen)) list.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const network: Network = {
    async resolve(name) {
      seen.names.push(name);
      const [first = [], ...rest] = host.addresses;
      if (rest.length > 0) host.addresses = rest;
      return first;
    },
    connect(addresses) {
      seen.addresses.push(...addresses);
      return connect((server.address() as AddressInfo).port, '127.0.0.1');
    },
    ca: certificate,
  };
  return { host, seen, network };
};
