import type { IncomingMessage } from 'node:http';

/** Reads the body of a request; undefined when it is longer than `maxBytes`. */
export const readBody = async (
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | undefined> => {
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
