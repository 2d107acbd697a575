import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Supported encodings, best first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Smaller responses fit into one or two packets anyway. */
const minBytes = 1_024;
/** More doesn’t fit into a response of Lambda, in base64 and with headers. */
const maxPlainBytes = 4.25 * 1024 * 1024;
/** A higher quality takes several times as long and saves a few percent. */
const brotliQuality = 4;

/**
 * Chooses the best encoding that an `Accept-Encoding` header allows, or `undefined` for none.
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 */
export const chooseEncoding = (accepted: string | undefined): Encoding | undefined => {
  if (accepted === undefined) return undefined;
  const taken = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [name = '', weight = ''] = entry.split(';');
        return [name.trim(), !/^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(weight)];
      }),
  );
  return encodings.find((one) => taken.get(one) ?? taken.get('*') ?? false);
};

/**
 * Chooses the encoding of a content of this size, as `chooseEncoding` does: none for a short one, and gzip for one that could not be
 * sent otherwise, which every client reads, even if it says nothing.
 */
export const chooseEncodingOf = (
  bytes: number,
  accepted: string | undefined,
): Encoding | undefined => {
  if (bytes <= minBytes) return undefined;
  return chooseEncoding(accepted) ?? (bytes > maxPlainBytes ? 'gzip' : undefined);
};

/** Compresses a text or its bytes. */
export const compress = (text: string | Uint8Array, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? toGzip(text)
    : toBrotli(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
        },
      });
