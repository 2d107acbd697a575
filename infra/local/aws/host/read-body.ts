import type { IncomingMessage } from 'node:http';

const empty = Buffer.alloc(0);

/** Reads the body of a request; undefined when it is longer than `maxBytes`. */
export const readBody = async (
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | undefined> => {
  const { 'content-length': contentLength = '0', 'transfer-encoding': encoding } = request.headers;
  if (contentLength === '0' && encoding === undefined) return empty;
  const chunks: Buffer[] = [];
  let length = 0;
  // The response to a body that is too long needs the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
};
