import * as z from 'zod';
import {
  assertSendable,
  chooseEncoding,
  compress,
  type Encoding,
  isWorthCompressing,
} from './compression.ts';
import { hashContent, matchesIfNoneMatch } from './etag.ts';
import { Reply } from './reply.ts';

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

/** Creates a strong ETag: equal tags mean equal bytes, so it contains the encoding. */
const createStrongTag = (text: string, encoding: Encoding | undefined): string => {
  const hash = hashContent(text);
  return encoding === undefined ? `"${hash}"` : `"${hash}-${encoding}"`;
};

/**
 * Caches must revalidate each time (304), so that changed or removed content disappears immediately. The CDN may use a
 * response for some seconds, and an expired one never, not even if this service fails.
 */
const toCacheControl = (caches: 'public' | 'private', edgeSeconds: number): string => {
  if (caches === 'private') return 'private, no-cache';
  const edge = edgeSeconds > 0 ? ` s-maxage=${edgeSeconds}, stale-if-error=0,` : '';
  return `public, max-age=0,${edge} must-revalidate`;
};

/**
 * Creates the reply for a text: compressed as the request accepts it, and cacheable in the named caches, in the CDN for
 * `edgeSeconds`. `varies` names further request headers on which it depends. With `hidesLength`, HEAD doesn't tell its length.
 * @throws AppError NOT_ACCEPTABLE for a large text, if the request accepts no compression
 */
export const negotiate = async (
  text: string,
  asked: Asked,
  {
    caches,
    edgeSeconds = 0,
    varies = [],
    status,
    headers,
    hidesLength,
  }: {
    readonly caches?: 'public' | 'private' | undefined;
    readonly edgeSeconds?: number;
    readonly varies?: readonly string[];
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly hidesLength?: boolean;
  } = {},
): Promise<Reply<string | Uint8Array>> => {
  const accepted = isWorthCompressing(text) ? asked['accept-encoding'] : undefined;
  const toHeaders = (encoding: Encoding | undefined) => ({
    ...headers,
    vary: ['accept-encoding', ...varies].join(', '),
    ...(caches && {
      etag: createStrongTag(text, encoding),
      'cache-control': toCacheControl(caches, edgeSeconds),
    }),
  });
  const unchanged = toHeaders(chooseEncoding(accepted));
  if (unchanged.etag && matchesIfNoneMatch(asked['if-none-match'], unchanged.etag)) {
    return new Reply<string>('', { status: 304, headers: unchanged });
  }
  const compressed = await compress(text, accepted);
  if (!compressed) assertSendable(Buffer.byteLength(text), undefined);
  const encoding = compressed?.encoding;
  return new Reply<string | Uint8Array>(compressed?.bytes ?? text, {
    ...(status !== undefined && { status }),
    ...(hidesLength !== undefined && { hidesLength }),
    headers: { ...toHeaders(encoding), ...(encoding && { 'content-encoding': encoding }) },
  });
};
