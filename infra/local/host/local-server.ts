import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';

/** Names that only ever mean this machine, on any port: a tunnel or a container may forward another one. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const getHostname = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;

/** A page whose own host name was rebound to 127.0.0.1 sends that name. */
const isOwnHost = (host: string): boolean => {
  if (loopback.test(host)) return true;
  const name = host.replace(/:\d*$/, '').toLowerCase();
  const { PUBLIC_URL, SNIPPETS_URL } = process.env;
  return name !== '' && [PUBLIC_URL, SNIPPETS_URL].some((url) => getHostname(url) === name);
};

const refuse = ({ headers }: IncomingMessage): { status: number; text: string } | undefined => {
  if (!isOwnHost(headers.host ?? '')) {
    return {
      status: 421,
      text: 'Only localhost, 127.0.0.1, [::1] and the hosts of PUBLIC_URL and SNIPPETS_URL are served.\n',
    };
  }
  // Browsers ask no CORS question before they open one.
  if (/\bwebsocket\b/i.test(headers.upgrade ?? '')) {
    return { status: 400, text: 'WebSockets are not served.\n' };
  }
  return undefined;
};

/**
 * Creates an HTTP server that web pages can't reach by DNS rebinding: a request for a foreign host is answered 421, and a
 * WebSocket 400. Other upgrades, such as h2c, are ignored.
 */
export const createLocalServer = (listener: RequestListener, options: ServerOptions = {}): Server =>
  createServer(options, (request, response) => {
    // SDKs set their clocks by it, so it is of the clock that signatures are checked by.
    response.setHeader('date', new Date().toUTCString());
    const error = refuse(request);
    if (!error) return listener(request, response);
    response.writeHead(error.status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(error.text),
      connection: 'close',
    });
    response.end(error.text);
  });
