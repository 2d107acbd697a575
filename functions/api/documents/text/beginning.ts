import { createHash } from 'node:crypto';
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
} from 'node:zlib';
import { cutWords } from '../../../../shared/lists/tokenize.ts';

/** How much of a text a search finds: so many words, and so many UTF-16 code units. */
const maxWords = 2_000;
const maxLength = 32_000;

/** What that takes in UTF-8 at most. */
const maxBytes = 3 * maxLength;

/** The beginning of a text that a search finds. */
export const getBeginning = (text: string): string => cutWords(text, maxWords, maxLength);

/** A compressed beginning, and what tells it from others. */
export interface PackedBeginning {
  readonly packed: Uint8Array;
  readonly hash: string;
}

/** Compresses the beginning of a text. */
export const packBeginning = (text: string): PackedBeginning => {
  const beginning = getBeginning(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  return {
    packed: brotliCompressSync(beginning, { params }),
    hash: createHash('sha256').update(beginning).digest('base64url').slice(0, 16),
  };
};

/** Unpacks no more than the beginning: what compresses well can be very long. */
const unpackPart = async (packed: Uint8Array): Promise<Buffer> => {
  const stream = createBrotliDecompress();
  stream.end(packed);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    parts.push(part as Buffer);
    bytes += (part as Buffer).length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(parts);
};

/** Unpacks the beginning of a compressed text, or a bit more. */
export const unpackBeginning = async (packed: Uint8Array): Promise<string> => {
  const unpack = (): Buffer | Promise<Buffer> => {
    try {
      return brotliDecompressSync(packed, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
      return unpackPart(packed);
    }
  };
  return (await unpack()).toString('utf8').slice(0, maxLength);
};
