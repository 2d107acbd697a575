import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createLocalServer, isHostOf } from '../host/local-server.ts';
import type { Credentials, SignedRequest } from '../host/signature.ts';
import { createBucket, deleteObjects, headBucket, listBuckets, putBucketCors } from './buckets.ts';
import { copyObject } from './copy-object.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { listObjects } from './list-objects.ts';
import { abortUpload, completeUpload, createUpload, uploadPart } from './multipart.ts';
import { deleteObject, getObject, headObject, putObject } from './objects.ts';
import { postObject } from './post-object.ts';
import {
  assertInstructions,
  assertKey,
  getHeaders,
  type Operation,
  parsePath,
  type S3Answer,
} from './request.ts';
import { notImplemented, S3Error } from './s3-error.ts';
import { createRequestCheck } from './signature.ts';
import type { Store } from './store.ts';
import { document, element } from './xml.ts';

/** Bytes to read of a refused upload, so that its sender can read the response. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** Operations by method, by target of the path, and by the parameters that select an operation. */
const operations: ReadonlyMap<string, Operation> = new Map([
  ['GET service', listBuckets],
  ['PUT bucket', createBucket],
  ['HEAD bucket', headBucket],
  ['PUT bucket cors', putBucketCors],
  ['GET bucket list-type=2', listObjects],
  ['POST bucket delete', deleteObjects],
  ['PUT object', putObject],
  ['PUT object copy', copyObject],
  ['GET object', getObject],
  ['HEAD object', headObject],
  ['DELETE object', deleteObject],
  ['POST object uploads', createUpload],
  ['PUT object uploadId partNumber', uploadPart],
  ['POST object uploadId', completeUpload],
  ['DELETE object uploadId', abortUpload],
]);

/** Parameters whose presence selects an operation, whatever their value. */
const NAMED = new Set(['partNumber', 'uploadId']);

/** Parameters that select no operation: those of signatures, reads and lists. */
const PLAIN_PARAMETER =
  /^(x-.*|response-.*|prefix|delimiter|max-keys|continuation-token|start-after|encoding-type|fetch-owner)$/i;

/**
 * Returns the origin and the path that a reverse proxy puts before those of the engine, for a request by FILES_URL. The
 * signature covers them.
 */
const readPublicAddress = (host = ''): { origin: string; prefix: string } => {
  if (!isHostOf('FILES_URL', host)) return { origin: `http://${host}`, prefix: '' };
  const { origin, pathname } = new URL(process.env['FILES_URL'] ?? '');
  return { origin, prefix: pathname.replace(/\/$/, '') };
};

/** Splits a request into its parts, without any check. */
const readRequest = (request: IncomingMessage) => {
  const { method = '', url = '', headers } = request;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at));
  const { origin, prefix } = readPublicAddress(headers.host);
  return {
    method,
    path,
    query,
    headers,
    /** The address that the path of the bucket follows. */
    base: `${origin}${prefix}`,
    ...parsePath(path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path),
    // The response needs the connection, even if the body is not read to its end.
    body: request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>,
  };
};

type Incoming = ReturnType<typeof readRequest>;

const getOperation = ({ method, bucket, key, query, headers }: Incoming): Operation => {
  const target = bucket === '' ? 'service' : key === '' ? 'bucket' : 'object';
  const choices = [...query]
    .filter(([name]) => !PLAIN_PARAMETER.test(name))
    .map(([name, value]) => (value === '' || NAMED.has(name) ? name : `${name}=${value}`))
    .sort((one, other) => other.localeCompare(one));
  if (headers['x-amz-copy-source'] !== undefined) choices.push('copy');
  const name = [method, target, ...choices].join(' ');
  const operation = operations.get(name);
  if (!operation) throw notImplemented(name);
  return operation;
};

/** What a server works with. */
interface Engine {
  readonly store: Store;
  readonly credentials: Credentials;
  /** Verifies a signature, and returns the payload's hash, or a keyword. */
  verify(request: SignedRequest): Promise<string>;
}

const isForm = (headers: Incoming['headers']): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') ?? false;

const perform = async (
  { store, credentials, verify }: Engine,
  incoming: Incoming,
): Promise<S3Answer> => {
  const { method, path, bucket, key, query, body } = incoming;
  if (method === 'POST' && key === '' && isForm(incoming.headers)) {
    const contentType = String(incoming.headers['content-type']);
    const { base } = incoming;
    return postObject({ store, credentials, bucket, contentType, base, body });
  }
  const payload = await verify({ method, path, query, headers: incoming.headers });
  assertKey(key);
  const headers = getHeaders(incoming.headers, query);
  assertInstructions(Object.keys(headers));
  return getOperation(incoming)({ store, bucket, key, query, headers, payload, body });
};

/** Returns whether the request claims a signature. Without one, no page may read the response. */
const claimsSignature = ({ headers, query }: Incoming): boolean =>
  headers.authorization !== undefined || query.has('X-Amz-Signature') || isForm(headers);

/** Returns the rules of the bucket, or none if its name is invalid, which the operation reports. */
const getCorsRules = async (store: Store, name: string) => {
  try {
    return await (await store.bucket(name)).corsRules();
  } catch (error) {
    if (error instanceof S3Error) return [];
    throw error;
  }
};

const errorAnswer = (error: unknown, resource: string, requestId: string): S3Answer => {
  const { status, code, message, headers } =
    error instanceof S3Error
      ? error
      : new S3Error(500, 'InternalError', `The local S3 failed: ${error}`);
  const body = element(
    'Error',
    element('Code', code),
    element('Message', message),
    element('Resource', resource),
    element('RequestId', requestId),
  );
  return { status, headers, body: document(body) };
};

/** Reads the rest of a body; returns false if it is too long. */
const discard = async (body: AsyncIterator<Buffer>): Promise<boolean> => {
  for (let left = MAX_DISCARDED_BYTES; left > 0; ) {
    const { done, value } = await body.next();
    if (done) return true;
    left -= value.length;
  }
  return false;
};

const send = async (
  response: ServerResponse,
  method: string,
  { status, headers, body }: S3Answer,
): Promise<void> => {
  if (typeof body === 'object') {
    response.writeHead(status, headers);
    return pipeline(body, response);
  }
  const hasBody = body !== undefined && method !== 'HEAD';
  response.writeHead(status, {
    ...(body !== undefined && {
      'content-type': 'application/xml',
      'content-length': Buffer.byteLength(body),
    }),
    ...(body === undefined && status === 200 && method !== 'HEAD' && { 'content-length': 0 }),
    ...headers,
  });
  response.end(hasBody ? body : undefined);
};

const answer = async (
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  response.setHeader('x-amz-request-id', requestId);
  response.setHeader('x-content-type-options', 'nosniff');
  const { method = '', url = '', headers } = request;
  let incoming: Incoming | undefined;
  let result: S3Answer;
  try {
    incoming = readRequest(request);
    const rules = headers.origin ? await getCorsRules(engine.store, incoming.bucket) : [];
    if (method === 'OPTIONS') result = { status: 200, headers: preflightHeaders(rules, headers) };
    else {
      const forPage = corsHeaders(rules, method, headers);
      if (claimsSignature(incoming)) {
        for (const [name, value] of Object.entries(forPage)) response.setHeader(name, value);
      }
      result = await perform(engine, incoming);
    }
  } catch (error) {
    result = errorAnswer(error, url.split('?')[0] ?? '', requestId);
    const isWhole = await discard(incoming?.body ?? request[Symbol.asyncIterator]());
    if (!isWhole) response.setHeader('connection', 'close');
  }
  await send(response, method, result);
};

/** Creates the HTTP server of the engine, and a function that waits for open requests. */
export const createS3Server = (
  store: Store,
  credentials: Credentials,
): { server: Server; settled(): Promise<void> } => {
  const engine = { store, credentials, verify: createRequestCheck(credentials) };
  const underWay = new Set<Promise<void>>();
  const server = createLocalServer(
    (request, response) => {
      const answering = answer(engine, request, response)
        // All other errors have a response, so the client has disconnected.
        .catch(() => void response.destroy())
        .finally(() => underWay.delete(answering));
      underWay.add(answering);
    },
    ['FILES_URL'],
  );
  // Clients close idle connections earlier, so no request meets a closing connection.
  server.keepAliveTimeout = 60_000;
  // Uploads have no time limit.
  server.requestTimeout = 0;
  return {
    server,
    async settled() {
      await Promise.all(underWay);
    },
  };
};
