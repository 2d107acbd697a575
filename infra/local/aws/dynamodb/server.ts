import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createCallCheck, RefusedCall, readCall } from '../host/json-signature.ts';
import { createLocalServer } from '../host/local-server.ts';
import type { Credentials } from '../host/signature.ts';
import { getOperation } from './operations/operations.ts';
import { dynamoDbError, isServiceError, requestError } from './service-error.ts';
import type { Store } from './storage/store.ts';

interface EngineResponse {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Time for clients to read their responses when the engine closes. */
const SENDING_MS = 1000;

const getTarget = ({ method, headers }: IncomingMessage): string =>
  method === 'POST' ? String(headers['x-amz-target'] ?? '') : '';

const parseBody = (text: string): object => {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {}
  throw requestError(400, 'SerializationException', 'The request is not a JSON object');
};

/** Returns the response for an error. */
const refusal = (error: unknown): EngineResponse => {
  if (error instanceof RefusedCall) {
    return refusal(requestError(error.status, error.type, error.message));
  }
  if (isServiceError(error)) return { status: error.statusCode, text: JSON.stringify(error.body) };
  const { body } = dynamoDbError('InternalServerError', `The local engine failed: ${error}`);
  return { status: 500, text: JSON.stringify(body) };
};

const send = (response: ServerResponse, { status, text }: EngineResponse): void => {
  // The client has disconnected.
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': randomUUID(),
    // Otherwise the unread rest of a body would be parsed as the next request.
    ...(status > 400 && { connection: 'close' }),
  });
  response.end(text);
};

/** Creates the HTTP server of the engine, and a function that waits for running operations and their responses. */
export const createDynamoDbServer = (
  store: Store,
  credentials: Credentials,
): { server: Server; settled(): Promise<void> } => {
  const check = createCallCheck('dynamodb', credentials);
  const underWay = new Set<Promise<void>>();
  const unsent = new Set<ServerResponse>();

  const server = createLocalServer(async (request, response) => {
    try {
      const body = await readCall(request, MAX_BODY_BYTES);
      const performing = check(request, body)
        .then(() => getOperation(getTarget(request))(store, parseBody(body.toString())))
        .then((result): EngineResponse => ({ status: 200, text: JSON.stringify(result) }))
        .catch(refusal)
        .then((answer) => send(response, answer))
        .finally(() => underWay.delete(performing));
      underWay.add(performing);
      unsent.add(response);
      response.once('close', () => unsent.delete(response));
    } catch (error) {
      send(response, refusal(error));
    }
  }, []);
  // Clients close idle connections earlier, so no request meets a closing connection.
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
