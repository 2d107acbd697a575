import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { createCallCheck, RefusedCall, readCall, sendRefusal } from './host/json-signature.ts';
import { listen } from './host/listen.ts';
import { createLocalServer } from './host/local-server.ts';
import { ownCredentials } from './host/signature.ts';

/** The number of newest emails that are stored. */
const maxStored = 1_000;

/** The limit of SES. */
const maxMailBytes = 40 * 1024 * 1024;

/** The only supported operation of SES. */
const sendPath = '/v2/email/outbound-emails';

/** The prefix may be missing, or be that of an earlier start, because the request is protected by its signature. */
const sendCall = new RegExp(`^POST (?:/[\\w-]{24})?${sendPath}$`);

/** The requests of the page, below its path. */
const pageCalls =
  /^(?:GET \/|GET \/store(?:\?since=\d+)?|POST \/clear-store|GET \/get-emlContent\?.*)$/;

/** The page's scripts and styles are inline; an email in it can only load embedded images. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: cid:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

// Not imported, because loaders disagree on the default export of a CommonJS package.
const require = createRequire(import.meta.url);

/** Reads the package's page, and moves its requests below the page's path. */
const readPage = async (pagePath: string): Promise<string> => {
  const file = require.resolve('aws-ses-v2-local/static/index.html');
  return (await readFile(file, 'utf8')).replace(
    /(?<=["'`])\/(?=(?:store|clear-store|get-emlContent)\b)/g,
    `${pagePath}/`,
  );
};

const notFound = () => new RefusedCall('UnknownOperationException', 'Not found', 404);

/**
 * Rejects requests and links from pages of other origins.
 * @throws RefusedCall
 */
const assertNoForeignPage = ({ headers }: IncomingMessage): void => {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers;
  const isOwn = origin === undefined || origin === `http://${host}`;
  if (isOwn && (site === 'none' || site === 'same-origin')) return;
  throw new RefusedCall('AccessDeniedException', 'Cross-origin requests are not allowed');
};

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new RefusedCall('SerializationException', 'The body is not JSON', 400);
  }
};

interface Engine {
  readonly server: Server;
  /** Deletes the oldest emails. */
  trim(): void;
}

/** Loads the engine, which takes about 0.4 s of CPU. */
const loadEngine = async (): Promise<Engine> => {
  // With this setting the engine would forward emails to a real server.
  delete process.env['SMTP_TRANSPORT'];
  const { default: start }: typeof import('aws-ses-v2-local') = require('aws-ses-v2-local');
  const { getStoreReadonly }: typeof import('aws-ses-v2-local/dist/store.js') =
    require('aws-ses-v2-local/dist/store.js');
  const server = await start({ host: '127.0.0.1', port: 0 });
  // Requests are passed to it directly, because it doesn't report a port in use.
  server.close();
  return {
    server,
    trim: () => {
      const { emails } = getStoreReadonly();
      emails.splice(0, emails.length - maxStored);
    },
  };
};

/** Creates the server. It loads the engine at the first request, to start faster. */
const createMailServer = (pagePath: string): Server => {
  const check = createCallCheck('ses', ownCredentials());
  let engine: Promise<Engine> | undefined;

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    engine ??= loadEngine();
    const { server, trim } = await engine;
    response.once('finish', trim);
    server.emit('request', request, response);
  };

  const sendMail = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readCall(request, maxMailBytes);
    await check(request, body);
    // The engine accepts a parsed body.
    Object.assign(request, { url: sendPath, body: parseJson(body) });
    await forward(request, response);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '' } = request;
    assertNoForeignPage(request);
    if (sendCall.test(`${method} ${url}`)) return sendMail(request, response);
    const path = url.slice(pagePath.length) || '/';
    if (!url.startsWith(pagePath) || !pageCalls.test(`${method} ${path}`)) throw notFound();
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(await readPage(pagePath));
      return;
    }
    request.url = path;
    await forward(request, response);
  };

  return createLocalServer(async (request, response) => {
    try {
      await serve(request, response);
    } catch (error) {
      if (error instanceof RefusedCall) sendRefusal(response, error);
      else response.writeHead(500).end(`The email engine failed: ${error}\n`);
    }
  });
};

/** SES, or the local engine, which shows its emails on a page at the same address. */
export interface LocalMail {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Uses an endpoint of SES, or else starts a local engine on a port of 127.0.0.1 for requests signed with the process's
 * own key. The engine delivers nothing and stores the newest emails in memory. Its page is below a random path.
 * @throws StartError when the port is in use
 */
export const openMail = async (given: string | undefined, port: number): Promise<LocalMail> => {
  if (given !== undefined) return { endpoint: given, close: async () => {} };
  const pagePath = `/${randomBytes(18).toString('base64url')}`;
  const server = createMailServer(pagePath);
  return {
    endpoint: `http://127.0.0.1:${await listen(server, port, 'LOCAL_SES_PORT')}${pagePath}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
};
