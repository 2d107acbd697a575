import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { AppError } from '../../runtime/errors.ts';

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
export const chooseEncoding = (
  accepted: string | undefined,
  offered: readonly Encoding[] = encodings,
): Encoding | undefined => {
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
  return offered.find((one) => taken.get(one) ?? taken.get('*') ?? false);
};

/** Returns whether a content of this size is long enough to be worth compressing. */
export const isWorthCompressing = (bytes: number): boolean => bytes > minBytes;

/**
 * Lambda's limit of a response, in bytes of its JSON.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const responseBytes = 6 * 1024 * 1024;

/** More than the headers of a response and the JSON around them. */
const headerBytes = 64 * 1024;

/** A text within this size of its JSON is sent as text. */
const maxTextBytes = responseBytes - headerBytes;

/** The most bytes of a body, whatever is in it: Lambda takes them as base64. */
const maxBodyBytes = Math.floor((maxTextBytes * 3) / 4);

/** The bytes that JSON takes for a UTF-16 code unit at most, such as `\u0000`. */
const maxEscapedBytes = 6;

/** Returns whether Lambda takes a text as it is. Base64 is smaller than the JSON of a text with many escapes. */
export const fitsAsText = (text: string): boolean =>
  maxEscapedBytes * text.length <= maxTextBytes ||
  Buffer.byteLength(JSON.stringify(text)) <= maxTextBytes;

/**
 * Asserts that a body of this size can be sent to a client that accepts these encodings: before what must not be done in vain.
 * @throws AppError NOT_ACCEPTABLE
 */
export const assertSendable = (bytes: number, accepted: string | undefined): void => {
  if (bytes <= maxBodyBytes || chooseEncoding(accepted) !== undefined) return;
  throw new AppError(
    'NOT_ACCEPTABLE',
    'The response is too large to be sent uncompressed. Send Accept-Encoding: gzip.',
    { details: [{ field: 'accept-encoding', message: 'must allow gzip' }] },
  );
};

const compressAs = (text: string | Uint8Array, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? toGzip(text)
    : toBrotli(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
        },
      });

/** A compressed text, or the bytes of one. */
export interface CompressedText {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

/**
 * Compresses a text in the best encoding that an `Accept-Encoding` header allows, or returns `undefined` for none. What is
 * too large for a response as Brotli is sent as gzip, whose size is checked when contents are stored.
 */
export const compress = async (
  text: string | Uint8Array,
  accepted: string | undefined,
): Promise<CompressedText | undefined> => {
  const encoding = chooseEncoding(accepted);
  if (encoding === undefined) return undefined;
  const bytes = await compressAs(text, encoding);
  const fits = encoding === 'gzip' || bytes.length <= maxBodyBytes;
  if (fits || chooseEncoding(accepted, ['gzip']) === undefined) return { encoding, bytes };
  return { encoding: 'gzip', bytes: await compressAs(text, 'gzip') };
};

/** Returns the size of a text as gzip, in bytes. */
export const countGzipBytes = async (text: string): Promise<number> => (await toGzip(text)).length;
