import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach } from 'vitest';
import * as z from 'zod';
import { type AccessLogEntry, createGateway } from '../../infra/local/gateway.ts';
import type { Handler } from '../../shared/http/create-handler.ts';
import type { Event, Result } from '../../shared/http/http.ts';
import { type Route, route } from '../../shared/http/route.ts';
import { useServer } from '../support/run/server.ts';

const of = (
  endpoint: `${Route['method']} /${string}`,
  output: z.ZodType = z.unknown(),
  handle: () => Promise<unknown> = async () => ({}),
) =>
  route({
    endpoint,
    access: 'public',
    summary: 'A route of the tests',
    output,
    handle,
  } as never);

/** Routes of a group with a replaced handler, which receives the events of the gateway. */
const echoed = [
  of('GET /echo'),
  of('POST /echo'),
  of('PUT /echo/{id}'),
  of('GET /people/{id}'),
  of('GET /people/{id}/friends/{friend}'),
];
const own = [of('GET /people/me')];
const typed = [
  of('GET /typed', z.object({ ok: z.boolean() }), async () => ({ ok: true, pk: 'x' })),
];

interface Sent {
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

/**
 * Starts a gateway for the tests of a file.
 * @param bare receives the handlers that replace those of a group, by its routes
 */
export const serveGateway = (bare: Map<unknown, unknown>) => {
  const events: Event[] = [];
  const answered: AccessLogEntry[] = [];
  const handler: Handler = async (event) => {
    events.push(event);
    return gateway.reply(event);
  };
  bare.set(echoed, handler);
  bare.set(own, async () => ({ statusCode: 200, body: 'me' }));
  const groups = [echoed, own, typed].map((routes) => ({ routes }));
  const server = createGateway(groups, (one) => answered.push(one));
  const listening = useServer(server);

  const gateway = {
    server,
    events,
    answered,
    /** Handles an event in place of the function. */
    reply: async (_event: Event): Promise<Result> => ({}),
    get port() {
      return listening.port;
    },
    /** Sends a request unchanged; fetch would normalize it. */
    async send(method: string, path: string, { headers = {}, body }: Sent = {}) {
      const { port } = gateway;
      const request = httpRequest({ host: '127.0.0.1', port, method, path, headers });
      // The server may respond and close before it has read the whole body.
      request.on('error', () => undefined);
      request.end(body);
      const [response] = await once(request, 'response');
      return {
        status: response.statusCode as number,
        headers: response.headers as IncomingHttpHeaders,
        body: await text(response),
      };
    },
  };

  beforeEach(() => {
    events.length = 0;
    answered.length = 0;
    gateway.reply = async () => ({ statusCode: 200, body: 'done' });
  });
  return gateway;
};
