import { once } from 'node:events';
import { constants, createGzip } from 'node:zlib';

/** Collects the text of a response. */
export interface Parts {
  /** Adds a text and returns the bytes of all. */
  add(text: string): Promise<number>;
  end(): Promise<string | Uint8Array>;
}

/** Collects texts as they are. */
export const plainParts = (): Parts => {
  const texts: string[] = [];
  let bytes = 0;
  return {
    async add(text) {
      texts.push(text);
      bytes += Buffer.byteLength(text);
      return bytes;
    },
    end: async () => texts.join(''),
  };
};

/** Collects texts as gzip, so that only what is sent is kept. */
export const gzipParts = (): Parts => {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  let bytes = 0;
  gzip.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  return {
    async add(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      gzip.write(text);
      gzip.flush(constants.Z_SYNC_FLUSH, resolve);
      await promise;
      return bytes;
    },
    async end() {
      gzip.end();
      await once(gzip, 'end');
      return Buffer.concat(chunks);
    },
  };
};
