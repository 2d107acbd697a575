import { isUtf8 } from 'node:buffer';
import { chooseEncodingOf, compress, type Encoding } from '../../../../shared/http/compression.ts';
import { contentDisposition } from '../../../../shared/http/content-disposition.ts';
import { createStrongTag, toCacheControl } from '../../../../shared/http/content-negotiation.ts';
import { matchesIfNoneMatch } from '../../../../shared/http/etag.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { LruCache } from '../../../../shared/runtime/lru-cache.ts';
import type { ManifestFile } from '../../../api/share/files/manifest.ts';
import { type AdmittedFiles, readFile } from '../../../api/share/reading/files.ts';
import { destination } from '../top-level.ts';
import { readRange } from './range.ts';

/** The request headers on which the response with a file depends. */
export interface AskedFile {
  readonly 'accept-encoding'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/** How a file is sent. */
interface Sent {
  /** The caches that may keep it, and ask each time. */
  readonly caches?: 'public';
  /** How long the CDN keeps it. */
  readonly edgeSeconds: number;
  /** Whether HEAD doesn’t tell its length. */
  readonly hidesLength: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

const isText = (type: string): boolean =>
  /^text\/|^application\/(?:javascript|json|[\w.-]+\+(?:json|xml)|xml)\b|^image\/svg/.test(type);

const isCompressible = (type: string): boolean =>
  isText(type) || /^application\/wasm|^font\/(?:ttf|otf)|^image\/(?:bmp|x-icon)/.test(type);

/** Types that browsers show nowhere in a sandbox, and what isn’t known: it can only be saved. */
const isSaved = (type: string): boolean => /^application\/(?:octet-stream|pdf)\b/.test(type);

/** Compressed bytes that a process keeps. */
const maxKeptBytes = 16 * 1024 * 1024;

/** By the hash of the file and the encoding. Without an admission they are worth nothing. */
const kept = new LruCache<Uint8Array>(maxKeptBytes, ({ length }) => length);

const compressOnce = async (
  sha256: string,
  bytes: Uint8Array,
  encoding: Encoding,
): Promise<Uint8Array> => {
  const key = `${sha256} ${encoding}`;
  const compressed = kept.get(key) ?? (await compress(bytes, encoding));
  kept.set(key, compressed);
  return compressed;
};

const toContentType = (type: string, bytes: Uint8Array): string =>
  isText(type) && !type.includes(';') && isUtf8(bytes) ? `${type}; charset=utf-8` : type;

const getName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the part of the bytes that was asked for. */
const replyWithRange = (
  bytes: Uint8Array,
  { range, 'if-range': ifRange }: AskedFile,
  etag: string,
  headers: Readonly<Record<string, string>>,
): Reply<Uint8Array> | undefined => {
  const { length } = bytes;
  const asked = ifRange === undefined || ifRange === etag ? readRange(range, length) : undefined;
  if (asked === undefined) return undefined;
  if (asked === 'unsatisfiable') {
    const refused = { ...headers, 'content-range': `bytes */${length}` };
    return new Reply(new Uint8Array(), { status: 416, headers: refused });
  }
  const { first, last } = asked;
  return new Reply(bytes.subarray(first, last + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${length}` },
  });
};

/**
 * Creates the reply with a file that is no page: compressed or a part of it as the request asks, with an `ETag` that is known without
 * its bytes.
 * @throws AppError as `readFile`
 */
export const replyWithFile = async (
  files: AdmittedFiles,
  file: ManifestFile,
  asked: AskedFile,
  { caches, edgeSeconds, hidesLength, headers }: Sent,
): Promise<Reply<Uint8Array | string>> => {
  const { type, size, sha256, path } = file;
  const encoding = isCompressible(type)
    ? chooseEncodingOf(size, asked['accept-encoding'])
    : undefined;
  const etag = createStrongTag(Buffer.from(sha256, 'hex').toString('base64url'), encoding);
  const common = {
    ...headers,
    vary: ['accept-encoding', destination].join(', '),
    ...(caches && { etag, 'cache-control': toCacheControl(caches, edgeSeconds) }),
  };
  if (caches && matchesIfNoneMatch(asked['if-none-match'], etag)) {
    return new Reply<string>('', { status: 304, headers: common });
  }
  const bytes = await readFile(files, file);
  const described = {
    ...common,
    'content-type': toContentType(type, bytes),
    ...(isSaved(type) && {
      'content-disposition': contentDisposition(getName(path), 'attachment'),
    }),
    ...(encoding === undefined ? { 'accept-ranges': 'bytes' } : { 'content-encoding': encoding }),
  };
  if (encoding !== undefined) {
    const body = await compressOnce(sha256, bytes, encoding);
    return new Reply(body, { headers: described, hidesLength });
  }
  return (
    replyWithRange(bytes, asked, etag, described) ??
    new Reply(bytes, { headers: described, hidesLength })
  );
};
