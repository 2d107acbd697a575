import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { internet, type Network } from '../../../shared/outbound/network.ts';
import { certificate, key } from './certificate.ts';

// Loaded by a service in place of the internet. It has three hosts that answer by their names, and no others: `works`, `fails`
// and `recovers.clients.example.com`, which fails the first time that a path is asked.
const answers: Readonly<Record<string, (path: string) => boolean>> = {
  'works.clients.example.com': () => true,
  'fails.clients.example.com': () => false,
  'recovers.clients.example.com': (path) => {
    const isKnown = seen.has(path);
    seen.add(path);
    return isKnown;
  },
};
const seen = new Set<string>();

const server = createServer({ cert: certificate, key }, (request, response) => {
  const isTaken = answers[request.headers.host ?? '']?.(request.url ?? '') ?? false;
  request.resume();
  if (isTaken) response.writeHead(204).end();
  else response.writeHead(500).end('Internal Server Error');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
server.unref();
process.channel?.unref();

const served: Network = {
  resolve: async (host) => (Object.hasOwn(answers, host) ? ['93.184.215.14'] : []),
  connect: () => connect((server.address() as AddressInfo).port, '127.0.0.1'),
  ca: certificate,
};
Object.assign(internet, served);
