import type { ObjectInfo } from './object-file.ts';
import type { PayloadCheck } from './payload.ts';
import { type Operation, openPayload, type S3Answer, type S3Request } from './request.ts';
import {
  invalidArgument,
  noSuchKey,
  notImplemented,
  preconditionFailed,
  S3Error,
} from './s3-error.ts';
import type { StoredObject } from './store.ts';

type Headers = S3Request['headers'];

/** The headers of an object that a read can override with `response-…` parameters. */
const CONTENT_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];
/** The headers that are stored with an object, in addition to its metadata. */
const KEPT = new Set([...CONTENT_HEADERS, 'x-amz-server-side-encryption', 'x-amz-storage-class']);
const MAX_METADATA_BYTES = 2_048;

const withoutAwsChunked = (encoding: string): string =>
  encoding
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== 'aws-chunked')
    .join(',');

/**
 * Returns the headers of an upload that are stored with its object.
 * @throws S3Error MetadataTooLarge, NotImplemented for encryption by another key
 */
export const storedHeaders = (headers: Headers): Record<string, string> => {
  const kept: Record<string, string> = {};
  let metadataBytes = 0;
  for (const [name, given = ''] of Object.entries(headers)) {
    const isMetadata = name.startsWith('x-amz-meta-');
    if (isMetadata) metadataBytes += name.length - 'x-amz-meta-'.length + given.length;
    const value = name === 'content-encoding' ? withoutAwsChunked(given) : given;
    if ((isMetadata || KEPT.has(name)) && value !== '') kept[name] = value;
  }
  if (metadataBytes > MAX_METADATA_BYTES) {
    throw new S3Error(
      400,
      'MetadataTooLarge',
      'Your metadata headers exceed the maximum allowed metadata size',
    );
  }
  const encryption = headers['x-amz-server-side-encryption'];
  if (encryption && encryption !== 'AES256') throw notImplemented(`encryption by ${encryption}`);
  return { 'content-type': 'binary/octet-stream', ...kept };
};

/** Describes an object after its payload has passed the check. */
export const describeObject = (
  key: string,
  check: PayloadCheck,
  headers: ObjectInfo['headers'],
): ObjectInfo => ({
  key,
  size: check.size(),
  etag: check.etag(),
  lastModified: Date.now(),
  headers,
  checksums: check.checksums(),
});

const checksumHeaders = ({ checksums }: ObjectInfo): Record<string, string> => ({
  ...checksums,
  ...(Object.keys(checksums).length > 0 && { 'x-amz-checksum-type': 'FULL_OBJECT' }),
});

/** Returns whether only a new object may be stored. */
const readCondition = (headers: Headers): boolean => {
  if (headers['if-match'] !== undefined) throw notImplemented('If-Match on writes');
  const value = headers['if-none-match'];
  if (value !== undefined && value !== '*') throw notImplemented(`If-None-Match: ${value}`);
  return value !== undefined;
};

export const putObject: Operation = async (request) => {
  const { key, headers } = request;
  const onlyNew = readCondition(headers);
  const bucket = await request.store.bucket(request.bucket);
  const kept = storedHeaders(headers);
  const { check, bytes } = openPayload(request);
  const info = await bucket.put(key, bytes, () => describeObject(key, check, kept), onlyNew);
  return { status: 200, headers: { etag: info.etag, ...checksumHeaders(info) } };
};

export const deleteObject: Operation = async ({ store, bucket, key }) => {
  await (await store.bucket(bucket)).delete([key]);
  return { status: 204 };
};

/** Runs `work` with the object. Closes its file, unless the response streams it. */
const withObject = async (
  { store, bucket, key }: S3Request,
  work: (object: StoredObject) => Promise<S3Answer>,
): Promise<S3Answer> => {
  const object = await (await store.bucket(bucket)).open(key);
  if (!object) throw noSuchKey();
  let isRead = false;
  try {
    const response = await work(object);
    isRead = typeof response.body === 'object';
    return response;
  } finally {
    if (!isRead) await object.file.close();
  }
};

const overrides = (query: URLSearchParams): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const name of CONTENT_HEADERS) {
    const value = query.get(`response-${name}`);
    if (value === null) continue;
    if (/[^\t\P{Cc}]/u.test(value)) throw invalidArgument(`response-${name} is not a header value`);
    // Headers are bytes; S3 sends Unicode as UTF-8.
    headers[name] = Buffer.from(value).toString('latin1');
  }
  return headers;
};

interface Range {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/** Parses a range, or returns undefined for the whole object. S3 ignores invalid ranges and lists of ranges. */
const parseRange = (header: string | undefined, size: number): Range | undefined => {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined;
  if (start <= end) return { start, end };
  throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable', {
    'content-range': `bytes */${size}`,
  });
};

const lists = (header: string, etag: string): boolean =>
  header === '*' || header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag);

/** Isolates documents that may contain scripts: a page could upload one and open it on this origin. */
const isolation = (contentType: string | undefined): Record<string, string> =>
  /html|xml/i.test(contentType ?? '') ? { 'content-security-policy': 'sandbox' } : {};

/** Returns the status, headers and byte range of a read. */
const readAnswer = ({ query, headers }: S3Request, info: ObjectInfo) => {
  const { etag, size } = info;
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !lists(ifMatch, etag)) throw preconditionFailed();
  const common = {
    etag,
    'last-modified': new Date(info.lastModified).toUTCString(),
    ...(info.headers['cache-control'] && { 'cache-control': info.headers['cache-control'] }),
  };
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && lists(ifNoneMatch, etag)) {
    return { status: 304, headers: common };
  }
  const ifRange = headers['if-range'];
  const isCurrent = ifRange === undefined || ifRange === etag;
  const range = isCurrent ? parseRange(headers['range'], size) : undefined;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const chosen = overrides(query);
  return {
    status: range ? 206 : 200,
    bytes: { start, end },
    headers: {
      ...info.headers,
      ...common,
      ...(headers['x-amz-checksum-mode'] === 'ENABLED' && !range && checksumHeaders(info)),
      ...chosen,
      ...isolation(chosen['content-type'] ?? info.headers['content-type']),
      'accept-ranges': 'bytes',
      'content-length': String(end - start + 1),
      ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
    },
  };
};

export const getObject: Operation = (request) =>
  withObject(request, async ({ info, file }) => {
    const { bytes, ...response } = readAnswer(request, info);
    // A stream can’t be limited to zero bytes.
    if (!bytes || bytes.end < bytes.start) return response;
    return { ...response, body: file.createReadStream(bytes) };
  });

export const headObject: Operation = (request) =>
  withObject(request, async ({ info }) => {
    const { bytes: _, ...response } = readAnswer(request, info);
    return response;
  });
