import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { createCallCheck, RefusedCall, readCall, sendRefusal } from './host/json-signature.ts';
import { listen } from './host/listen.ts';
import { createLocalServer } from './host/local-server.ts';
import { type Credentials, ownCredentials } from './host/signature.ts';

/** So many of the newest mails are kept. */
const kept = 1_000;

/** As SES takes it. */
const maxMailBytes = 40 * 1024 * 1024;

/** The one call of SES that is used. */
const sendPath = '/v2/email/outbound-emails';

/** Its signature protects it: the path before it may be missing, or be that of an earlier start. */
const sendCall = new RegExp(`^POST (?:/[\\w-]{24})?${sendPath}$`);

/** What the page asks for, below its path. */
const pageCalls =
  /^(?:GET \/|GET \/store(?:\?since=\d+)?|POST \/clear-store|GET \/get-emlContent\?.*)$/;

/** The page's own scripts and styles are inline; a mail in it loads nothing but images that it brings along. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: cid:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

// Not imported: loaders disagree on what the default export of a CommonJS package is.
const require = createRequire(import.meta.url);

/** Reads the package's page, whose calls lead below the path that it is at. */
const readPage = async (pagePath: string): Promise<string> => {
  const file = require.resolve('aws-ses-v2-local/static/index.html');
  return (await readFile(file, 'utf8')).replace(
    /(?<=["'`])\/(?=(?:store|clear-store|get-emlContent)\b)/g,
    `${pagePath}/`,
  );
};

const notFound = () => new RefusedCall('UnknownOperationException', 'There is nothing here', 404);

/**
 * Refuses a request that a page of elsewhere sends, also by a link: the page is opened by its address.
 * @throws RefusedCall
 */
const assertNoForeignPage = ({ headers }: IncomingMessage): void => {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers;
  const isOwn = origin === undefined || origin === `http://${host}`;
  if (isOwn && (site === 'none' || site === 'same-origin')) return;
  throw new RefusedCall('AccessDeniedException', 'No other page may call this address');
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
  /** Forgets the oldest mails. */
  trim(): void;
}

/** Loads the engine, which takes about 0.4 s of CPU. */
const loadEngine = async (): Promise<Engine> => {
  // The engine would pass every mail on to a real mail server: none leaves this machine.
  delete process.env['SMTP_TRANSPORT'];
  const { default: start }: typeof import('aws-ses-v2-local') = require('aws-ses-v2-local');
  const { getStoreReadonly }: typeof import('aws-ses-v2-local/dist/store.js') =
    require('aws-ses-v2-local/dist/store.js');
  const server = await start({ host: '127.0.0.1', port: 0 });
  // Requests are handed to it; a port that is taken would not be reported by it.
  server.close();
  return {
    server,
    trim: () => {
      const { emails } = getStoreReadonly();
      emails.splice(0, emails.length - kept);
    },
  };
};

/** Loads its engine at the first request, so that a start doesn't wait for it. */
const createMailServer = (pagePath: string, credentials: Credentials): Server => {
  const check = createCallCheck('ses', credentials);
  let engine: Promise<Engine> | undefined;

  const handOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    engine ??= loadEngine();
    const { server, trim } = await engine;
    response.once('finish', trim);
    server.emit('request', request, response);
  };

  const sendMail = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readCall(request, maxMailBytes);
    await check(request, body);
    // The engine takes a body that was read before.
    Object.assign(request, { url: sendPath, body: parseJson(body) });
    await handOn(request, response);
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
    await handOn(request, response);
  };

  return createLocalServer(async (request, response) => {
    try {
      await serve(request, response);
    } catch (error) {
      if (error instanceof RefusedCall) sendRefusal(response, error);
      else response.writeHead(500).end(`The mail engine failed: ${error}\n`);
    }
  });
};

/** SES, and at the same address the page that shows the mails if it runs on this machine. */
export interface LocalMail {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Mail at an endpoint of SES, or without one in an engine of its own, on a port of 127.0.0.1, for calls signed with this key,
 * this process's own unless it is given. The engine's endpoint has a path that is made up, below which the page is; mail can
 * be sent without it as well. The engine delivers nothing and keeps the newest mails in memory.
 * @throws StartError when the port is taken
 */
export const openMail = async (
  given: string | undefined,
  port: number,
  credentials: Credentials = ownCredentials(),
): Promise<LocalMail> => {
  if (given !== undefined) return { endpoint: given, close: async () => {} };
  const pagePath = `/${randomBytes(18).toString('base64url')}`;
  const server = createMailServer(pagePath, credentials);
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
