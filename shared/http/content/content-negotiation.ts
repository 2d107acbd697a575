import * as z from 'zod';
import { Reply } from '../reply.ts';
import {
  assertSendable,
  chooseEncoding,
  compress,
  type Encoding,
  isWorthCompressing,
} from './compression.ts';
import { hashContent, matchesIfNoneMatch } from './etag.ts';

/** Request headers of a route whose response can be compressed. */
export const encodingHeaders = { 'accept-encoding': z.string().optional() };

/** Request headers of a route whose response can also be cached. */
export const representationHeaders = {
  ...encodingHeaders,
  'if-none-match': z.string().optional(),
};

type Asked = Partial<z.output<z.ZodObject<typeof representationHeaders>>>;

/** A response body: text or its compressed bytes. */
export const Representation = z.union([
  z.string(),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
]);

/** Creates a strong ETag of a content’s hash: equal tags mean equal bytes, so it contains the encoding. */
export const createStrongTag = (hash: string, encoding?: Encoding): string =>
  encoding === undefined ? `"${hash}"` : `"${hash}-${encoding}"`;

/**
 * Caches must revalidate each time (304), so that changed or removed content disappears immediately. The CDN may use a
 * response for some seconds, and an expired one never, not even if this service fails.
 */
export const toCacheControl = (caches: 'public' | 'private', edgeSeconds: number): string => {
  if (caches === 'private') return 'private, no-cache';
  const edge = edgeSeconds > 0 ? ` s-maxage=${edgeSeconds}, stale-if-error=0,` : '';
  return `public, max-age=0,${edge} must-revalidate`;
};

/** A content that is read only for who doesn’t have it. */
export interface Content {
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  /** Whether its compression is worth its time. */
  readonly isCompressible: boolean;
  read(): Promise<string | Uint8Array>;
}

/** How a content is sent. */
export interface SentContent {
  /** The caches that may keep it, and revalidate it each time. */
  readonly caches?: 'public' | 'private' | undefined;
  /** How long the CDN may keep it. */
  readonly edgeSeconds?: number;
  /** Further request headers on which it depends. */
  readonly varies?: readonly string[];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether HEAD doesn’t tell its length. */
  readonly hidesLength?: boolean;
}

/**
 * Creates the reply for a content: compressed as the request accepts it, and cacheable.
 * @throws AppError NOT_ACCEPTABLE for a large content, if the request accepts no compression; what `read` throws
 */
export const negotiateContent = async (
  { hash, size, isCompressible, read }: Content,
  asked: Asked,
  { caches, edgeSeconds = 0, varies = [], status, headers, hidesLength }: SentContent = {},
): Promise<Reply<string | Uint8Array>> => {
  const accepted =
    isCompressible && isWorthCompressing(size) ? asked['accept-encoding'] : undefined;
  const toHeaders = (encoding: Encoding | undefined) => ({
    ...headers,
    vary: ['accept-encoding', ...varies].join(', '),
    ...(caches && {
      etag: createStrongTag(hash, encoding),
      'cache-control': toCacheControl(caches, edgeSeconds),
    }),
  });
  const unchanged = toHeaders(chooseEncoding(accepted));
  if (unchanged.etag && matchesIfNoneMatch(asked['if-none-match'], unchanged.etag)) {
    return new Reply<string>('', { status: 304, headers: unchanged });
  }
  const content = await read();
  const compressed = await compress(content, accepted);
  if (!compressed) assertSendable(Buffer.byteLength(content), undefined);
  const encoding = compressed?.encoding;
  return new Reply<string | Uint8Array>(compressed?.bytes ?? content, {
    ...(status !== undefined && { status }),
    ...(hidesLength !== undefined && { hidesLength }),
    headers: { ...toHeaders(encoding), ...(encoding && { 'content-encoding': encoding }) },
  });
};

/**
 * Creates the reply for a text or the bytes of one, as `negotiateContent` does.
 * @throws AppError NOT_ACCEPTABLE for a large text, if the request accepts no compression
 */
export const negotiate = (
  text: string | Uint8Array,
  asked: Asked,
  sent?: SentContent,
): Promise<Reply<string | Uint8Array>> =>
  negotiateContent(
    {
      hash: hashContent(text),
      size: Buffer.byteLength(text),
      isCompressible: true,
      read: async () => text,
    },
    asked,
    sent,
  );
