import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readDestination } from './destination.ts';
import { internet, type Network } from './network.ts';
import { OutboundError } from './outbound-error.ts';
import { askPublic } from './public-request.ts';

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
 * Fetches an address that someone outside names, from a public host (`askPublic`), within bounds and without redirects.
 * @throws OutboundError
 */
export const fetchPublic = async (
  address: string,
  bounds: Bounds,
  network: Network = internet,
): Promise<PublicResponse> => {
  const headers = { accept: bounds.accept.join(', ') };
  return askPublic(
    readDestination(address),
    { method: 'GET', headers },
    bounds.timeoutMs,
    network,
    async (response) => {
      const mediaType = checkHead(response, bounds);
      return { body: await readBody(response, bounds), mediaType };
    },
  );
};
