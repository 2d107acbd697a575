import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Supported encodings, best first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Smaller responses fit into one or two packets anyway. */
const minBytes = 1_024;
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

/** Returns whether the text is long enough to be worth compressing. */
export const isWorthCompressing = (text: string): boolean => Buffer.byteLength(text) > minBytes;

/** Compresses a text. */
export const compress = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? toGzip(text)
    : toBrotli(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
        },
      });
