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

/** A setting with the address that a reverse proxy gives a server. */
export type PublicAddress = 'PUBLIC_URL' | 'SNIPPETS_URL' | 'FILES_URL' | 'MAILBOX_URL';

/** Returns whether a `Host` has the name of the host in a setting; the port may differ, as that of a tunnel does. */
export const isHostOf = (setting: PublicAddress, host: string): boolean =>
  host !== '' && getHostname(process.env[setting]) === host.replace(/:\d*$/, '').toLowerCase();

/** Detects DNS rebinding: a page whose host name resolves to 127.0.0.1 sends that name. */
const isOwnHost = (host: string, settings: readonly PublicAddress[]): boolean =>
  loopback.test(host) || settings.some((setting) => isHostOf(setting, host));

const findError = (
  { headers }: IncomingMessage,
  settings: readonly PublicAddress[],
): { status: number; text: string } | undefined => {
  if (!isOwnHost(headers.host ?? '', settings)) {
    const hosts = ['localhost, 127.0.0.1, [::1]', ...settings.map((name) => `the host of ${name}`)];
    return { status: 421, text: `Only these hosts are served: ${hosts.join(', ')}.\n` };
  }
  // Browsers don't apply CORS to WebSockets.
  if (/\bwebsocket\b/i.test(headers.upgrade ?? '')) {
    return { status: 400, text: 'WebSockets are not served.\n' };
  }
  return undefined;
};

/**
 * Creates an HTTP server for this machine's own names and the hosts of these settings, so that web pages can't reach it by
 * DNS rebinding. Returns 421 for another host and 400 for a WebSocket, and ignores other upgrades, such as h2c.
 */
export const createLocalServer = (
  listener: RequestListener,
  publicAddresses: readonly PublicAddress[],
  options: ServerOptions = {},
): Server =>
  createServer(options, (request, response) => {
    // SDKs correct their clock by this header, so it must use the clock that checks signatures.
    response.setHeader('date', new Date().toUTCString());
    const error = findError(request, publicAddresses);
    if (!error) return listener(request, response);
    response.writeHead(error.status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(error.text),
      connection: 'close',
    });
    response.end(error.text);
  });
