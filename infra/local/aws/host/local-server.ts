import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';

/** Names of this machine, with any port, because a tunnel or container may forward another one. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const getHostname = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;

/** Detects DNS rebinding: a page whose host name resolves to 127.0.0.1 sends that name. */
const isOwnHost = (host: string): boolean => {
  if (loopback.test(host)) return true;
  const name = host.replace(/:\d*$/, '').toLowerCase();
  const { PUBLIC_URL, SNIPPETS_URL } = process.env;
  return name !== '' && [PUBLIC_URL, SNIPPETS_URL].some((url) => getHostname(url) === name);
};

const findError = ({ headers }: IncomingMessage): { status: number; text: string } | undefined => {
  if (!isOwnHost(headers.host ?? '')) {
    return {
      status: 421,
      text: 'Only localhost, 127.0.0.1, [::1] and the hosts of PUBLIC_URL and SNIPPETS_URL are served.\n',
    };
  }
  // Browsers don't apply CORS to WebSockets.
  if (/\bwebsocket\b/i.test(headers.upgrade ?? '')) {
    return { status: 400, text: 'WebSockets are not served.\n' };
  }
  return undefined;
};

/**
 * Creates an HTTP server that web pages can't reach by DNS rebinding. Returns 421 for a foreign host and 400 for a
 * WebSocket, and ignores other upgrades, such as h2c.
 */
export const createLocalServer = (listener: RequestListener, options: ServerOptions = {}): Server =>
  createServer(options, (request, response) => {
    // SDKs correct their clock by this header, so it must use the clock that checks signatures.
    response.setHeader('date', new Date().toUTCString());
    const error = findError(request);
    if (!error) return listener(request, response);
    response.writeHead(error.status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(error.text),
      connection: 'close',
    });
    response.end(error.text);
  });
