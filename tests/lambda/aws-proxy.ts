import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AwsCall, callsOf } from './aws-calls.ts';

/** The engines of this machine, by the names of the services in a signature. */
export type Engines = Readonly<Record<string, string>>;

/** A request that a function made, or somebody else in its name by a URL or a form that it signed. */
export interface Recorded extends AwsCall {
  readonly by: string;
  /** Did the function itself send it while it had no event? On Lambda it would have been frozen. */
  readonly isLate: boolean;
}

/** The service in the scope of a signature, such as `<key>/<date>/<region>/s3/aws4_request`. */
const serviceOf = (scope: string | null | undefined): string | undefined =>
  scope?.match(/^[^/]+\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/)?.[1];

const isForm = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') ?? false;

const hopByHop = ['connection', 'keep-alive', 'expect'];

/**
 * What S3 answers whoever asks for an object that isn't there and may not list the bucket, as none of the functions may.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
const accessDenied = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

/**
 * What stands between one function and the engines, and records what it asks of them. Requests are handed on as they
 * are, their signatures too.
 */
export const awsProxy = async (
  by: string,
  engines: Engines,
  isInvoked: () => boolean,
  record: (recorded: Recorded) => void,
) => {
  const handOn = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = incoming;
    const url = new URL(`http://${headers.host}${incoming.url}`);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const own = serviceOf(headers.authorization?.match(/Credential=([^,\s]+)/)?.[1]);
    const presigned =
      serviceOf(url.searchParams.get('X-Amz-Credential')) ?? (isForm(incoming) ? 's3' : undefined);
    const service = own ?? presigned;
    if (service !== undefined) {
      for (const call of callsOf({ service, method, url, headers, body })) {
        record({ by, isLate: own !== undefined && !isInvoked(), ...call });
      }
    }
    // A browser's question for CORS is signed by nobody.
    const engine = engines[service ?? 's3'];
    if (engine === undefined) throw new Error(`There is no engine for ${service}`);
    const { hostname, port } = new URL(engine);
    const kept = Object.entries(headers).filter(([name]) => !hopByHop.includes(name));
    const asked = httpRequest({
      hostname,
      port,
      method,
      path: incoming.url,
      headers: Object.fromEntries(kept),
    });
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    if (service === 's3' && answer.statusCode === 404 && (method === 'GET' || method === 'HEAD')) {
      answer.resume();
      response.writeHead(403, { 'content-type': 'application/xml' });
      return void response.end(method === 'GET' ? accessDenied : undefined);
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
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
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
    },
  };
};
