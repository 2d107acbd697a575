import { createHash } from 'node:crypto';
import * as z from 'zod';
import { chooseEncoding, compress, type Encoding, isWorthCompressing } from './compression.ts';
import { matchesIfNoneMatch } from './etag.ts';
import { Reply } from './reply.ts';

/** Which codings a request takes. */
export const encodingHeaders = { 'accept-encoding': z.string().optional() };

/** And which representation it has already: for what is cached. */
export const representationHeaders = {
  ...encodingHeaders,
  'if-none-match': z.string().optional(),
};

type Asked = Partial<z.output<z.ZodObject<typeof representationHeaders>>>;

/** The body of such an answer: a text, or its compressed bytes. */
export const Representation = z.union([
  z.string(),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
]);

/** Of this very text in this very coding: byte for byte the same wherever the tag is the same. */
const createStrongTag = (text: string, encoding: Encoding | undefined): string => {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return encoding === undefined ? `"${hash}"` : `"${hash}-${encoding}"`;
};

/**
 * A text in the form that the request takes: compressed, and where `isPublic` kept by caches, which have to ask each
 * time whether it is still the same (304), so that nothing that was changed or taken down is shown for longer.
 */
export const negotiate = async (
  text: string,
  asked: Asked,
  {
    isPublic = false,
    status,
    headers,
  }: {
    readonly isPublic?: boolean;
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Reply<string | Uint8Array>> => {
  const encoding = isWorthCompressing(text) ? chooseEncoding(asked['accept-encoding']) : undefined;
  const etag = isPublic ? createStrongTag(text, encoding) : undefined;
  const common = {
    ...headers,
    vary: 'accept-encoding',
    ...(etag && { etag, 'cache-control': 'public, max-age=0, must-revalidate' }),
  };
  if (etag && matchesIfNoneMatch(asked['if-none-match'], etag)) {
    return new Reply<string>('', { status: 304, headers: common });
  }
  return new Reply<string | Uint8Array>(encoding ? await compress(text, encoding) : text, {
    ...(status !== undefined && { status }),
    headers: { ...common, ...(encoding && { 'content-encoding': encoding }) },
  });
};
