import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { withDeadline } from '../runtime/deadline.ts';
import type { Destination } from './destination.ts';
import type { Network } from './network.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';
import { userAgent } from './user-agent.ts';

/** What is asked of a host. */
export interface PublicRequest {
  readonly method: 'GET' | 'POST';
  /** Beside those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How many addresses of a host are tried. */
const maxAddresses = 6;

/** Returns the addresses of a host, each of which is public: a host with any other is refused whole. */
const findAddresses = async (
  { host, isAddress }: Destination,
  network: Network,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const addresses = isAddress ? [host] : await network.resolve(host, signal);
  if (addresses.length === 0) throw new OutboundError('unknown-host', 'has a host without address');
  if (!addresses.every(isPublicAddress)) {
    throw new OutboundError('not-public', 'must have a host on the public internet');
  }
  return addresses.slice(0, maxAddresses);
};

/** Returns whether TLS refused the certificate: its codes are those of OpenSSL and Node.js. */
const isCertificateError = (error: unknown): boolean =>
  error instanceof Error && /CERT|VERIFY/.test(String('code' in error && error.code));

const noAnswer = (error: unknown): OutboundError => {
  if (error instanceof OutboundError) return error;
  return isCertificateError(error)
    ? new OutboundError('insecure', 'has a host without a valid certificate', { cause: error })
    : new OutboundError('silent', 'has a host that does not answer as it should', { cause: error });
};

/** Sends the request, and takes the response with its head. The certificate must be that of the host that was named. */
const send = (
  { host, authority, isAddress, path }: Destination,
  addresses: readonly string[],
  { method, headers, body }: PublicRequest,
  network: Network,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const socket = network.connect(addresses);
  const secure = connect({
    socket,
    host,
    ...(!isAddress && { servername: host }),
    ...(network.ca !== undefined && { ca: network.ca }),
    ALPNProtocols: ['http/1.1'],
  });
  const fail = (error: unknown) => {
    reject(error);
    secure.destroy();
    socket.destroy();
  };
  const abort = () => fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  socket.on('error', fail);
  secure.on('error', fail).on('close', () => {
    signal.removeEventListener('abort', abort);
    fail(new Error('The connection was closed'));
  });
  const sent = request({
    createConnection: () => secure,
    method,
    path,
    headers: {
      host: authority,
      ...headers,
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      connection: 'close',
    },
  });
  sent.on('response', resolve).on('error', fail).end(body);
  return promise;
};

/**
 * Asks a host that someone outside names, and nothing near the service (decisions.md#outbound-requests): https at the port 443,
 * connected at an address that was checked, once. `read` gets the response, whatever its status; all takes `timeoutMs` at most,
 * from the name to the end of `read`.
 * @throws OutboundError
 */
export const askPublic = <Result>(
  destination: Destination,
  asked: PublicRequest,
  timeoutMs: number,
  network: Network,
  read: (response: IncomingMessage) => Promise<Result>,
): Promise<Result> =>
  withDeadline(timeoutMs, async (signal) => {
    let response: IncomingMessage | undefined;
    try {
      const addresses = await findAddresses(destination, network, signal);
      signal.throwIfAborted();
      response = await send(destination, addresses, asked, network, signal);
      return await read(response);
    } catch (error) {
      throw signal.aborted
        ? new OutboundError('late', 'has a host that does not answer in time', { cause: error })
        : noAnswer(error);
    } finally {
      response?.destroy();
    }
  });
