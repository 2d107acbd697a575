import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** The codings that we send, the better one first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Below this many bytes the answer fits a packet or two anyway. */
const leastBytes = 1_024;
/** Higher takes several times as long for a few per cent less. */
const brotliQuality = 4;

/** The best coding that an `Accept-Encoding` header takes; `undefined` where it takes none (RFC 9110 §12.5.3). */
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

/** Is the text long enough for compressing to pay? */
export const isWorthCompressing = (text: string): boolean => Buffer.byteLength(text) > leastBytes;

/** The bytes of a text in a coding. */
export const compress = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? toGzip(text)
    : toBrotli(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
        },
      });
