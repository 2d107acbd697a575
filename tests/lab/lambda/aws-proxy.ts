import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signAgain } from '../../support/aws/sign-again.ts';
import { type AwsCall, type AwsRequest, callsOf } from './aws-calls.ts';
import { metered, unitsOf } from './units.ts';

/** The local engines by the service name in a signature. */
export type Engines = Readonly<Record<string, string>>;

/** A request by a function, or by a client with a URL or form that the function signed. */
export interface Recorded extends AwsCall {
  readonly by: string;
  /** Whether the function sent it after its start and without an event, when Lambda freezes it. */
  readonly isLate: boolean;
}

/** A request by a function, and its usage. */
export interface Spent {
  readonly by: string;
  readonly service: string;
  readonly operation: string;
  /** Table units. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** A time of `performance.now()`. */
  readonly begunAt: number;
  readonly endedAt: number;
}

/** Returns the service in the scope of a signature, such as `<key>/<date>/<region>/s3/aws4_request`. */
const serviceOf = (scope: string | null | undefined): string | undefined =>
  scope?.match(/^[^/]+\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/)?.[1];

const isForm = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') ?? false;

const hopByHop = ['connection', 'keep-alive', 'expect', 'content-length', 'transfer-encoding'];

/** Forwards a request unchanged, except that table requests also ask for the consumed capacity. */
const ask = async (engine: string | undefined, request: AwsRequest, path: string) => {
  if (engine === undefined) throw new Error(`There is no engine for ${request.service}`);
  const { hostname, port } = new URL(engine);
  const isTable = request.service === 'dynamodb';
  const body = isTable ? metered(request.body) : request.body;
  const headers = isTable ? await signAgain(request.headers, body) : request.headers;
  const kept = Object.entries(headers).filter(([name]) => !hopByHop.includes(name));
  const asked = httpRequest({
    hostname,
    port,
    method: request.method,
    path,
    headers: {
      ...Object.fromEntries(kept),
      ...(body.length > 0 && { 'content-length': body.length }),
    },
  });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const { statusCode = 502 } = response;
  return { status: statusCode, headers: response.headers, body: await buffer(response) };
};

/** Starts a proxy between one function and the engines, which records requests and their usage. */
export const awsProxy = async (
  by: string,
  engines: Engines,
  isRunning: () => boolean,
  record: (recorded: Recorded) => void,
  spend: (spent: Spent) => void,
) => {
  let isHeldUp: (request: AwsRequest) => boolean = () => false;

  const handOn = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = incoming;
    const url = new URL(`http://${headers.host}${incoming.url}`);
    const body = await buffer(incoming);
    const own = serviceOf(headers.authorization?.match(/Credential=([^,\s]+)/)?.[1]);
    const presigned =
      serviceOf(url.searchParams.get('X-Amz-Credential')) ?? (isForm(incoming) ? 's3' : undefined);
    // CORS preflight requests are unsigned.
    const service = own ?? presigned ?? 's3';
    const request = { service, method, url, headers, body };
    if (own ?? presigned) {
      const isLate = own !== undefined && !isRunning();
      for (const call of callsOf(request)) record({ by, isLate, ...call });
    }
    // Sends no response, so the client waits until its timeout.
    if (isHeldUp(request)) return;
    const begunAt = performance.now();
    const answer = await ask(engines[service], request, String(incoming.url));
    if (own) {
      const operation = String(headers['x-amz-target'] ?? method).replace(/^.*\./, '');
      const units = unitsOf(operation, body, answer.body);
      spend({ by, service, operation, ...units, begunAt, endedAt: performance.now() });
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };

  const server = createServer((incoming, response) => {
    handOn(incoming, response).catch((error) => {
      record({ by, isLate: false, action: `failed: ${error}`, resource: String(incoming.url) });
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Runs an action while these requests are recorded, but neither forwarded nor answered. */
    holdUp: async <Result>(
      isHeld: (request: AwsRequest) => boolean,
      work: () => Promise<Result>,
    ): Promise<Result> => {
      isHeldUp = isHeld;
      try {
        return await work();
      } finally {
        isHeldUp = () => false;
      }
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export type AwsProxy = Awaited<ReturnType<typeof awsProxy>>;
