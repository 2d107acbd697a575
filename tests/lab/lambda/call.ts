import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { hosts, listRoutes } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import { checkAnswer } from '../../support/openapi/document.ts';
import { keepSecretsOf } from '../../support/run/secrets.ts';
import type { Answer, CallOptions } from '../../support/service/call.ts';
import { deployment } from './deployment.ts';

const toBody = (body: unknown): string | Uint8Array | undefined =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array
    ? body
    : JSON.stringify(body);

const hostOf = (endpoint: string): Host => {
  const wanted = endpoint.replace(/^HEAD /, 'GET ');
  const host = (Object.keys(hosts) as Host[]).find((each) =>
    listRoutes(each).some(({ method, path }) => `${method} ${path}` === wanted),
  );
  if (!host) throw new Error(`No route ${endpoint}`);
  return host;
};

const textual = /^(text\/|application\/(json|javascript|xml|[\w.+-]+\+(json|xml)))/;

const bodyOf = (type: string, bytes: Buffer): unknown => {
  if (!textual.test(type)) return bytes.toString('base64');
  const text = bytes.toString();
  return type.startsWith('application/json') && text ? JSON.parse(text) : text;
};

/** Session cookies by the access token of the same response. */
const cookieOf = new Map<string, string>();

let areCookiesUsed = false;

/** Runs an action as a browser: requests use the session cookie instead of the access token. */
export const byCookie = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  areCookiesUsed = true;
  try {
    return await work();
  } finally {
    areCookiesUsed = false;
  }
};

let isKeyed = false;

/** Runs an action with an `Idempotency-Key` on each request. */
export const byKey = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  isKeyed = true;
  try {
    return await work();
  } finally {
    isKeyed = false;
  }
};

let userAgent: string | undefined;

/** Runs an action as a browser with this user agent. Each user agent is a separate visitor. */
export const byVisitor = async <Result>(
  name: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  userAgent = name;
  try {
    return await work();
  } finally {
    userAgent = undefined;
  }
};

const credentialsOf = ({ token, cookies = [] }: CallOptions): Record<string, string> => {
  const own = areCookiesUsed && token !== undefined ? cookieOf.get(token) : undefined;
  const all = [...cookies, ...(own === undefined ? [] : [own])];
  return {
    ...(token !== undefined && own === undefined && { authorization: `Bearer ${token}` }),
    ...(all.length > 0 && { cookie: all.join('; ') }),
  };
};

/** Replaces the `call` of other tests: sends HTTP through the gateway to the bundled function. */
export const call = async (endpoint: string, options: CallOptions = {}): Promise<Answer> => {
  const { body: sent, ...others } = options;
  keepSecretsOf(sent instanceof Uint8Array ? others : options);
  const { params = {}, query, headers = {}, body } = options;
  const [method = '', path = ''] = endpoint.split(' ');
  const filled = path.replace(/\{(\w+)\+?\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const bytes = toBody(body);
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const request = httpRequest(`${deployment().origins[hostOf(endpoint)]}${filled}${search}`, {
    method,
    headers: {
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
      ...(isKeyed && { 'idempotency-key': randomUUID() }),
      ...credentialsOf(options),
      // Node.js says it of a DELETE only if told to.
      ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
      ...headers,
    },
  });
  request.end(bytes);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { 'set-cookie': setCookies = [], ...rest } = response.headers;
  const contentType = rest['content-type'] ?? '';
  const answer = {
    status: response.statusCode ?? 0,
    headers: rest as Record<string, string>,
    body: bodyOf(contentType, await buffer(response)),
    cookies: setCookies,
  };
  keepSecretsOf(answer);
  const [session] = setCookies.filter((cookie) => cookie.startsWith('__Host-session='));
  const { accessToken } = Object(answer.body) as { readonly accessToken?: string };
  if (session && accessToken) cookieOf.set(accessToken, session.split(';')[0] ?? '');
  checkAnswer(endpoint, { status: answer.status, contentType, body: answer.body });
  return answer;
};
