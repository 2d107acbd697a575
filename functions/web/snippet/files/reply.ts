import { contentDisposition } from '../../../../shared/http/content/content-disposition.ts';
import {
  createStrongTag,
  negotiateContent,
  type SentContent,
  toCacheControl,
} from '../../../../shared/http/content/content-negotiation.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { getContentType, unknownType } from '../../../../shared/share-files/types.ts';
import type { ManifestFile } from '../../../api/share/files/manifest.ts';
import { type AdmittedFiles, readFile } from '../../../api/share/reading/files.ts';
import { readRange } from './range.ts';

/** The request headers on which the response with a file depends. */
export interface AskedFile {
  readonly 'accept-encoding'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/** What is as short as it gets. */
const compressed = /^(?:audio|video)\/|^image\/(?!svg|bmp|x-icon)|^font\/woff|^application\/pdf/;

/** Types that can only be saved: what is unknown, and what browsers show in no sandbox. */
const savedTypes: readonly string[] = [unknownType, 'application/pdf'];

/** How a file is sent. */
interface SentFile extends SentContent {
  /** Whether a browser saves it, whatever its type. */
  readonly isSaved: boolean;
}

const toHeaders = (
  { type, path }: ManifestFile,
  isSaved: boolean,
): Readonly<Record<string, string>> => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isSaved || savedTypes.includes(type)
    ? { 'content-disposition': contentDisposition(name, 'attachment') }
    : {};
};

/** Returns the part of a file that was asked for, or `undefined` if all of it is. */
const replyWithRange = (
  bytes: Uint8Array,
  { range, 'if-range': ifRange }: AskedFile,
  etag: string,
  { caches, edgeSeconds = 0, varies = [], headers, hidesLength = false }: SentContent,
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
    headers: {
      ...headers,
      vary: ['accept-encoding', ...varies].join(', '),
      ...(caches && { etag, 'cache-control': toCacheControl(caches, edgeSeconds) }),
      'content-range': `bytes ${first}-${last}/${length}`,
    },
    hidesLength,
  });
};

/**
 * Creates the reply with a file that is no page. Its `ETag` is known without its bytes. Of what is compressed by itself, as sound and
 * videos are, a part can be asked for.
 * @throws AppError as `readFile`
 */
export const replyWithFile = async (
  files: AdmittedFiles,
  file: ManifestFile,
  asked: AskedFile,
  { isSaved, ...sent }: SentFile,
): Promise<Reply<Uint8Array | string>> => {
  const { type, size, sha256 } = file;
  const hash = Buffer.from(sha256, 'hex').toString('base64url');
  const isCompressible = !compressed.test(type);
  const ofFile = {
    ...sent,
    headers: {
      ...sent.headers,
      ...toHeaders(file, isSaved),
      'content-type': getContentType(type),
      ...(!isCompressible && { 'accept-ranges': 'bytes' }),
    },
  };
  const read = () => readFile(files, file);
  const part =
    isCompressible || asked.range === undefined
      ? undefined
      : replyWithRange(await read(), asked, createStrongTag(hash), ofFile);
  return part ?? negotiateContent({ hash, size, isCompressible, read }, asked, ofFile);
};
