import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a proxy that adds a token to each request, for a client that can’t be given one. `serve` says where the service is and
 * which token it takes, once it is known.
 */
export const startTokenProxy = async () => {
  let to = { url: '', token: '' };
  const server = createServer((incoming, outgoing) => {
    const { host, ...headers } = incoming.headers;
    const { hostname, port } = new URL(to.url);
    // The service is known by its own host; another one is passed on, as that of an attack.
    const isOwn = host === `localhost:${(server.address() as AddressInfo).port}`;
    const sent = request(
      {
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: {
          ...headers,
          host: isOwn ? `localhost:${port}` : host,
          authorization: `Bearer ${to.token}`,
        },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: (url: string, token: string) => {
      to = { url, token };
    },
  };
};
