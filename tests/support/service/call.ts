import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import type { Handler } from '../../../shared/http/create-handler.ts';
import type { Event, Result } from '../../../shared/http/http.ts';
import { checkAnswer } from '../openapi/document.ts';
import { keepSecretsOf } from '../run/secrets.ts';
import { type DeployedFunction, functionsOfEndpoints } from './functions-of-endpoints.ts';

const functions = join(import.meta.dirname, '../../../functions');

const find = (endpoint: string): DeployedFunction => {
  const found = functionsOfEndpoints.get(endpoint.replace(/^HEAD /, 'GET '));
  if (!found) throw new Error(`No route ${endpoint}`);
  return found;
};

/** Loads the handler of a group, which takes a file that calls no other group a fraction of loading all. */
const loadHandler = async ({ folder }: DeployedFunction): Promise<Handler> =>
  (await import(join(functions, folder, 'index.ts'))).handler;

/** Other tests move the clock by days while requests run. */
let isTimeLimited = false;

/** Ends the requests of a test file when their functions must end. */
export const limitTime = (): void => {
  isTimeLimited = true;
};

/** Returns the time in ms after which the function of a route is ended. */
export const timeoutOf = (endpoint: string): number => find(endpoint).timeoutMs;

export interface CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, strings unchanged, and bytes base64-encoded as by the gateway. */
  readonly body?: unknown;
  /** An access token. */
  readonly token?: string | undefined;
  /** The IP address of the client. */
  readonly address?: string;
  readonly userAgent?: string;
  /** Cookies as `name=value`. */
  readonly cookies?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text of a page. */
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the shape it expects
  readonly body: any;
  /** Values of the `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
}

const toBody = (body: unknown): string => {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('base64');
  return typeof body === 'string' ? body : JSON.stringify(body);
};

const toEvent = (endpoint: string, options: CallOptions): Event => {
  const [method = '', path = ''] = endpoint.split(' ');
  const { params = {}, query, headers, body, token, cookies } = options;
  const { address = '192.0.2.1', userAgent = 'tests' } = options;
  // Without a segment for a parameter it would be another address.
  const rawPath = path.replace(/\{(\w+)\+?\}/g, (_, name) => params[name] ?? 'none');
  return {
    version: '2.0',
    routeKey: endpoint,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(cookies && { cookies: [...cookies] }),
    ...(query && { queryStringParameters: { ...query } }),
    requestContext: {
      accountId: '0',
      apiId: 'test',
      domainName: 'handbill.test',
      domainPrefix: 'test',
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: address,
        userAgent,
      },
      requestId: randomUUID(),
      routeKey: endpoint,
      stage: '$default',
      time: '',
      timeEpoch: Date.now(),
    },
    ...(body !== undefined && { body: toBody(body) }),
    isBase64Encoded: body instanceof Uint8Array,
  };
};

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

/** Returns the text of a body as a client reads it. */
const toText = (
  { body = '', isBase64Encoded }: Result,
  { 'content-encoding': encoding = 'identity' }: Readonly<Record<string, string>>,
): string =>
  isBase64Encoded
    ? decoders[encoding as keyof typeof decoders](Buffer.from(body, 'base64')).toString()
    : body;

/**
 * Calls the handler of a route like API Gateway: `call('GET /s/{id}', { params: { id } })`.
 * Checks every response against the OpenAPI document, and the logs for secrets of the request and the response.
 */
export const call = async (endpoint: string, options: CallOptions = {}): Promise<Answer> => {
  const deployed = find(endpoint);
  const { timeoutMs } = deployed;
  const handler = await loadHandler(deployed);
  const endsAt = Date.now() + timeoutMs;
  const context = {
    ...lambdaContext(randomUUID(), endsAt),
    // Many times what the function has, so that no test needs a fast machine.
    getRemainingTimeInMillis: () => (isTimeLimited ? endsAt - Date.now() : 10 * timeoutMs),
  };
  const { body: sentBody, ...rest } = options;
  keepSecretsOf({ ...rest, ...(!(sentBody instanceof Uint8Array) && { body: sentBody }) });
  const result = await handler(toEvent(endpoint, options), context);
  const headers = (result.headers ?? {}) as Record<string, string>;
  const isJson = headers['content-type']?.startsWith('application/json');
  const body = isJson && result.body ? JSON.parse(toText(result, headers)) : result.body;
  const status = result.statusCode ?? 0;
  keepSecretsOf({ headers, body, cookies: result.cookies });
  checkAnswer(endpoint, { status, contentType: headers['content-type'] ?? '', body });
  return { status, headers, body, cookies: result.cookies ?? [] };
};
