import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { signAgain } from '../aws/sign-again.ts';
import { type Asked, askedOf, inputOf, type Received, type Service } from './aws-request.ts';
import { splitBatch, unsplit } from './batches.ts';
import { refusalOf } from './error-responses.ts';
import type { Fault, Plan } from './fault.ts';

/** Delay of a slow response, far below every timeout. */
const slowMs = 5;

/** Header with a request id, by which a client is notified if it will get no response. */
export const requestIdHeader = 'x-test-request';

interface Forwarded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A proxy in front of an engine. */
export interface FaultProxy {
  readonly endpoint: string;
  /** Forwards further requests to the engine at this endpoint. */
  leadTo(endpoint: string): void;
  /** Accepts connections again, and closes those that hang. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Callbacks of a proxy. */
export interface Observer {
  /** Returns the fault of a request, if any. */
  meet(asked: Asked): Fault | undefined;
  /** Reports that a request with an id will get no response. */
  hangs(requestId: string): void;
  /** Reports that a request that was met has its response, or will get none. */
  responded?(): void;
}

const received = async (request: IncomingMessage): Promise<Received> => ({
  method: request.method ?? '',
  url: request.url ?? '',
  headers: request.headers,
  body: await buffer(request),
});

/** Starts a proxy in front of an engine, on a free port of 127.0.0.1. */
export const startProxy = async (
  service: Service,
  engineEndpoint: string,
  observer: Observer,
): Promise<FaultProxy> => {
  let target = new URL(engineEndpoint);
  const agent = new Agent({ keepAlive: true });

  const forward = async ({ method, url, headers, body }: Received): Promise<Forwarded> => {
    // The body is complete, so Expect and Transfer-Encoding do not apply.
    const { [requestIdHeader]: _, expect, 'transfer-encoding': __, ...rest } = headers;
    const onward = httpRequest({
      agent,
      host: target.hostname,
      port: target.port,
      method,
      path: url,
      headers: { ...rest, 'content-length': body.length },
    });
    onward.end(body);
    const [response] = (await once(onward, 'response')) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await buffer(response),
    };
  };

  const withInput = async (request: Received, input: object): Promise<Received> => {
    const body = Buffer.from(JSON.stringify(input));
    return { ...request, headers: await signAgain(request.headers, body), body };
  };

  const answerBatch = async (request: Received, asked: Asked, isHalf: boolean) => {
    const input = inputOf(request) as { RequestItems: Parameters<typeof splitBatch>[0] };
    const split = splitBatch(input.RequestItems, isHalf);
    const isAsked = Object.keys(split.done).length > 0;
    const response = isAsked
      ? await forward(await withInput(request, { ...input, RequestItems: split.done }))
      : undefined;
    const done = response ? JSON.parse(response.body.toString()) : {};
    return Buffer.from(JSON.stringify(unsplit(done, split, asked.operation)));
  };

  const reply = (response: ServerResponse, { status, headers, body }: Forwarded): void => {
    response.writeHead(status, headers).end(body);
  };

  const respond = async (
    response: ServerResponse,
    request: Received,
    asked: Asked,
    fault: Fault | undefined,
  ): Promise<void> => {
    const error = fault && refusalOf(fault.kind, asked);
    if (error) {
      response.writeHead(error.status, error.headers).end(error.body);
      return;
    }
    switch (fault?.kind) {
      case 'hang': {
        const id = request.headers[requestIdHeader];
        if (typeof id === 'string') observer.hangs(id);
        return;
      }
      case 'refuse':
        server.close();
        server.closeAllConnections();
        return;
      case 'drop-answer':
        await forward(request);
        response.destroy();
        return;
      case 'cut-answer': {
        const { status, headers, body } = await forward(request);
        response.writeHead(status, { ...headers, 'content-length': body.length });
        response.write(body.subarray(0, body.length / 2), () => response.destroy());
        return;
      }
      case 'act-before':
        await fault.act?.();
        response.destroy();
        return;
      case 'act-after':
        await forward(request);
        await fault.act?.();
        response.destroy();
        return;
      case 'half-unprocessed':
      case 'all-unprocessed': {
        const body = await answerBatch(request, asked, fault.kind === 'half-unprocessed');
        const headers = { 'content-type': 'application/x-amz-json-1.0' };
        reply(response, { status: 200, headers, body });
        return;
      }
      case 'one-item-pages':
        reply(response, await forward(await withInput(request, { ...inputOf(request), Limit: 1 })));
        return;
      case 'late':
        await fault.act?.();
        reply(response, await forward(request));
        return;
      case 'slow':
        await wait(slowMs);
        reply(response, await forward(request));
        return;
      default:
        reply(response, await forward(request));
    }
  };

  const server = createServer(async (message, response) => {
    try {
      const request = await received(message);
      const asked = askedOf(service, request);
      const fault = observer.meet(asked);
      try {
        await respond(response, request, asked, fault);
      } finally {
        observer.responded?.();
      }
    } catch {
      // The client or the engine closed the connection, so no response is possible.
      response.destroy();
    }
  });
  server.keepAliveTimeout = 60_000;

  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);

  return {
    endpoint: `http://127.0.0.1:${port}`,
    leadTo(endpoint) {
      target = new URL(endpoint);
    },
    async restore() {
      if (!server.listening) await listen(port);
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
};

/** Returns an observer of the current plan, which may change at any time. Calls `seen` for every request. */
export const observerOf = (
  plan: () => Plan | undefined,
  seen: (asked: Asked) => void,
  hangs: Observer['hangs'] = () => undefined,
): Observer => ({
  meet: (asked) => {
    seen(asked);
    return plan()?.next(asked);
  },
  hangs,
});
