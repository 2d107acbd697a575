import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createCallCheck, RefusedCall, readCall, sendRefusal } from './aws/host/json-signature.ts';
import { listen } from './aws/host/listen.ts';
import { createLocalServer, isHostOf } from './aws/host/local-server.ts';
import { ownCredentials } from './aws/host/signature.ts';
import { parseSendEmail } from './mailbox/send-email.ts';
import { createMailStore } from './mailbox/store.ts';

/** The limit of SES. */
const maxMailBytes = 40 * 1024 * 1024;

/** The only supported operation of SES. The prefix may be missing, or be that of an earlier start, because the request is protected by its signature. */
const sendCall = /^POST (?:\/[^?]*)?\/v2\/email\/outbound-emails$/;

/** Nothing is inline, and nothing comes from elsewhere. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** An email runs no scripts, loads nothing, and opens its links in a new tab, also outside of the frame. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
};

const reply = (response: ServerResponse, type: string, body: string | Uint8Array): void => {
  response.writeHead(200, { 'content-type': type });
  response.end(body);
};

const notFound = () => new RefusedCall('UnknownOperationException', 'Not found', 404);

/**
 * Rejects requests and links from pages of other origins.
 * @throws RefusedCall
 */
const assertNoForeignPage = ({ headers }: IncomingMessage): void => {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = headers;
  const own = isHostOf('MAILBOX_URL', host)
    ? new URL(process.env['MAILBOX_URL'] ?? '').origin
    : `http://${host}`;
  const isOwn = origin === undefined || origin === own;
  if (isOwn && (site === 'none' || site === 'same-origin')) return;
  throw new RefusedCall('AccessDeniedException', 'Cross-origin requests are not allowed');
};

const createMailServer = (pagePath: string): Server => {
  const check = createCallCheck('ses', ownCredentials());
  const store = createMailStore();

  const sendMail = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readCall(request, maxMailBytes);
    await check(request, body);
    const MessageId = `handbill-${store.add(parseSendEmail(body))}`;
    reply(response, 'application/json', JSON.stringify({ MessageId }));
  };

  /** Serves the page, below its path. */
  const servePage = async (call: string, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    if (call === 'GET /') {
      const { mailboxPage } = await import('./mailbox/page.ts');
      return reply(response, 'text/html; charset=utf-8', mailboxPage(pagePath));
    }
    if (call === 'POST /clear-store') {
      store.clear();
      return reply(response, 'application/json', '{}');
    }
    const [, since] = call.match(/^GET \/store(?:\?since=(\d{1,15}))?$/) ?? [];
    if (call.startsWith('GET /store') && (since !== undefined || call === 'GET /store')) {
      const emails = store.list(Number(since ?? 0));
      return reply(response, 'application/json', JSON.stringify({ emails }));
    }
    const [, id] = call.match(/^GET \/emails\/(\d{1,15})$/) ?? [];
    const mail = id === undefined ? undefined : store.find(Number(id));
    if (mail) {
      response.setHeader('content-security-policy', mailPolicy);
      return reply(response, 'text/html; charset=utf-8', mail.body.html);
    }
    const [, name = '', extension = ''] = call.match(/^GET \/([\w-]+\.(css|js|woff2))$/) ?? [];
    const { getPageFile } = await import('./mailbox/page.ts');
    const file = name === '' ? undefined : await getPageFile(name);
    if (!file) throw notFound();
    return reply(response, contentTypes[extension] ?? '', file);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '' } = request;
    assertNoForeignPage(request);
    if (sendCall.test(`${method} ${url}`)) return sendMail(request, response);
    if (!url.startsWith(pagePath)) throw notFound();
    return servePage(`${method} ${url.slice(pagePath.length) || '/'}`, response);
  };

  return createLocalServer(
    async (request, response) => {
      try {
        await serve(request, response);
      } catch (error) {
        if (error instanceof RefusedCall) sendRefusal(response, error);
        else response.writeHead(500).end(`The email engine failed: ${error}\n`);
      }
    },
    ['MAILBOX_URL'],
  );
};

/** SES, or the local engine, which shows its emails on a page at the same address. */
export interface LocalMail {
  readonly endpoint: string;
  /** The address of its page, behind the proxy if there is one. */
  readonly page: string;
  close(): Promise<void>;
}

/**
 * Uses an endpoint of SES, or else starts a local engine on a port of 127.0.0.1 for requests signed with the process's
 * own key. The engine delivers nothing and stores the newest emails in memory. Its page is below a random path, and that
 * below the path of MAILBOX_URL, the `address` at which a proxy passes on to it.
 * @throws StartError when the port is in use
 */
export const openMail = async (
  given: string | undefined,
  port: number,
  address?: string,
): Promise<LocalMail> => {
  if (given !== undefined) return { endpoint: given, page: given, close: async () => {} };
  const { origin, pathname } = new URL(address ?? 'http://127.0.0.1');
  const pagePath = `${pathname.replace(/\/$/, '')}/${randomBytes(18).toString('base64url')}`;
  const server = createMailServer(pagePath);
  const endpoint = `http://127.0.0.1:${await listen(server, port, 'LOCAL_SES_PORT')}${pagePath}`;
  return {
    endpoint,
    page: address === undefined ? endpoint : `${origin}${pagePath}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
};
