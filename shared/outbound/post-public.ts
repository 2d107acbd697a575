import type { IncomingMessage } from 'node:http';
import { readDestination } from './destination.ts';
import { internet, type Network } from './network.ts';
import { askPublic } from './public-request.ts';

/** What a public host answered, whatever its status. */
export interface PostAnswer {
  readonly status: number;
  /** The start of the body. Empty if it is encoded. */
  readonly start: Buffer;
}

/** The bounds of a request. */
export interface PostBounds {
  /** From the name to the last byte of the answer that is read. */
  readonly timeoutMs: number;
  /** The bytes of the answer that are read before the connection is dropped. */
  readonly maxBytes: number;
  /** The bytes that are kept of it. */
  readonly keptBytes: number;
}

const readStart = async (
  response: IncomingMessage,
  { maxBytes, keptBytes }: PostBounds,
): Promise<Buffer> => {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size < keptBytes) kept.push(chunk.subarray(0, keptBytes - size));
    size += chunk.length;
    // Leaving the loop drops the connection: whoever sends more has answered.
    if (size >= maxBytes) break;
  }
  const isPlain = (response.headers['content-encoding'] ?? 'identity') === 'identity';
  return isPlain ? Buffer.concat(kept) : Buffer.alloc(0);
};

/**
 * Posts JSON to an address that someone outside names, to a public host (`askPublic`). Follows no redirect: that is an answer like
 * any other.
 * @throws OutboundError
 */
export const postPublic = async (
  address: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  bounds: PostBounds,
  network: Network = internet,
): Promise<PostAnswer> =>
  askPublic(
    readDestination(address),
    {
      method: 'POST',
      headers: {
        ...headers,
        accept: '*/*',
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
      body,
    },
    bounds.timeoutMs,
    network,
    async (response) => ({
      status: response.statusCode ?? 0,
      start: await readStart(response, bounds),
    }),
  );
