import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Answer, perform, refusal } from './answer.ts';
import { requestError } from './service-error.ts';
import type { Store } from './store.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** How long a client may take to read an answer when the engine closes. */
const SENDING_MS = 1000;
const LOOPBACK = /^(([\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Reads the body, or undefined if it is longer than AWS takes. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  // The answer to a body that is too long still goes over this connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString();
};

/** Keeps web pages out: no browser sends this header unasked, and a rebound name is not this host. */
const checkCaller = ({ headers }: IncomingMessage): void => {
  if (!LOOPBACK.test(headers.host ?? '')) {
    throw requestError(403, 'AccessDeniedException', 'The host is not this machine');
  }
  if (!headers.authorization?.startsWith('AWS4-')) {
    throw requestError(
      400,
      'MissingAuthenticationTokenException',
      'Request is missing Authentication Token',
    );
  }
};

const targetOf = ({ method, headers }: IncomingMessage): string =>
  method === 'POST' ? String(headers['x-amz-target'] ?? '') : '';

const readRequest = async (request: IncomingMessage) => {
  checkCaller(request);
  const body = await readBody(request);
  if (body === undefined) {
    throw requestError(413, 'RequestEntityTooLargeException', 'The request is larger than 16 MB');
  }
  return { target: targetOf(request), body };
};

const send = (response: ServerResponse, { status, text }: Answer): void => {
  // Nobody is there any more to read it.
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': randomUUID(),
    // The rest of a body that was not read would be taken for the next request.
    ...(status > 400 && { connection: 'close' }),
  });
  response.end(text);
};

/** The HTTP server of the engine, and a wait for the operations under way and their answers. */
export const createDynamoDbServer = (
  store: Store,
): { server: Server; settled(): Promise<void> } => {
  const underWay = new Set<Promise<void>>();
  const unsent = new Set<ServerResponse>();

  const server = createServer(async (request, response) => {
    try {
      const { target, body } = await readRequest(request);
      const performing = perform(store, target, body)
        .then((answer) => send(response, answer))
        .finally(() => underWay.delete(performing));
      underWay.add(performing);
      unsent.add(response);
      response.once('close', () => unsent.delete(response));
    } catch (error) {
      send(response, refusal(error));
    }
  });
  // Longer than clients keep a connection, so that none is closed while a request is on its way.
  server.keepAliveTimeout = 60_000;
  return {
    server,
    async settled() {
      await Promise.all(underWay);
      const sent = Promise.all([...unsent].map((response) => once(response, 'close')));
      await Promise.race([sent, setTimeout(SENDING_MS, undefined, { ref: false })]);
    },
  };
};
