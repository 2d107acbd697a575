import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { connect } from 'node:tls';
import { createGunzip } from 'node:zlib';
import { withDeadline } from '../runtime/deadline.ts';
import { type Destination, readDestination } from './destination.ts';
import { internet, type Network } from './network.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

/** The bounds of a request. */
export interface Bounds {
  /** Of the body, before and after it is unpacked. */
  readonly maxBytes: number;
  /** From the name to the last byte. */
  readonly timeoutMs: number;
  /** The media types that are taken, in lower case, without parameters. */
  readonly accept: readonly string[];
}

/** A 200 of a public host. */
export interface PublicResponse {
  readonly body: Buffer;
  /** In lower case, without parameters. */
  readonly mediaType: string;
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
  accept: readonly string[],
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
    path,
    headers: {
      host: authority,
      accept: accept.join(', '),
      'accept-encoding': 'identity',
      'user-agent': 'Handbill',
      connection: 'close',
    },
  });
  sent.on('response', resolve).on('error', fail).end();
  return promise;
};

const tooLarge = (maxBytes: number): OutboundError =>
  new OutboundError('size', `must have at most ${maxBytes} bytes`);

/** Returns the media type of a response that is what was asked for. */
const checkHead = ({ statusCode = 0, headers }: IncomingMessage, bounds: Bounds): string => {
  if (statusCode >= 300 && statusCode < 400) {
    throw new OutboundError('redirect', 'must answer itself, without a redirect');
  }
  if (statusCode >= 500 || statusCode === 429) {
    throw new OutboundError('failing', `answers with the status ${statusCode}`);
  }
  if (statusCode !== 200) {
    throw new OutboundError('status', `must answer with the status 200, not ${statusCode}`);
  }
  const mediaType = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!bounds.accept.includes(mediaType)) {
    throw new OutboundError('type', `must have the content type ${bounds.accept.join(' or ')}`);
  }
  if (Number(headers['content-length'] ?? 0) > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
  return mediaType;
};

/** Passes bytes on, up to a number. */
const atMost = (maxBytes: number) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };

/** Reads a body. Some hosts have only a packed form of it, whatever was asked for. */
const readBody = async (response: IncomingMessage, { maxBytes }: Bounds): Promise<Buffer> => {
  const coding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  };
  const limit = atMost(maxBytes);
  if (coding === 'identity') await pipeline(response, limit, collect);
  else if (coding === 'gzip') {
    await pipeline(response, limit, createGunzip(), atMost(maxBytes), collect);
  } else throw new OutboundError('type', 'must have a body that is not encoded');
  return Buffer.concat(chunks);
};

/**
 * Fetches an address that someone outside names, and nothing near the service (decisions.md#outbound-requests): https at the port
 * 443 of a public host, connected at an address that was checked, without redirects, within bounds.
 * @throws OutboundError
 */
export const fetchPublic = (
  address: string,
  bounds: Bounds,
  network: Network = internet,
): Promise<PublicResponse> => {
  const destination = readDestination(address);
  return withDeadline(bounds.timeoutMs, async (signal) => {
    let response: IncomingMessage | undefined;
    try {
      const addresses = await findAddresses(destination, network, signal);
      signal.throwIfAborted();
      response = await send(destination, addresses, bounds.accept, network, signal);
      const mediaType = checkHead(response, bounds);
      return { body: await readBody(response, bounds), mediaType };
    } catch (error) {
      throw signal.aborted
        ? new OutboundError('late', 'has a host that does not answer in time', { cause: error })
        : noAnswer(error);
    } finally {
      response?.destroy();
    }
  });
};
