import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { decodeAwsChunked } from './aws-chunked.ts';
import { isChecksum } from './checksums.ts';
import { createPayloadCheck, MAX_OBJECT_BYTES, type PayloadCheck } from './payload.ts';
import { invalidArgument, notImplemented, S3Error } from './s3-error.ts';
import type { Store } from './store.ts';

const MAX_XML_BYTES = 8 * 1024 * 1024;
const MAX_KEY_BYTES = 1_024;

/** A request with a verified signature. */
export interface S3Request {
  readonly store: Store;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  /** The headers, and the parameters of a presigned URL that replace headers. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The payload's hash, or a keyword, as signed. */
  readonly payload: string;
  readonly body: AsyncIterator<Buffer>;
}

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** XML, or the bytes of an object. */
  readonly body?: string | Readable;
}

export type Operation = (request: S3Request) => Promise<S3Answer>;

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new S3Error(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
};

/** Parses the bucket and the key of a path such as `/bucket/any/key`. */
export const parsePath = (path: string): { bucket: string; key: string } => {
  const [, bucket = '', ...rest] = path.split('/');
  return { bucket: decode(bucket), key: decode(rest.join('/')) };
};

/** @throws S3Error KeyTooLongError */
export const assertKey = (key: string): void => {
  if (Buffer.byteLength(key) <= MAX_KEY_BYTES) return;
  throw new S3Error(400, 'KeyTooLongError', 'Your key is too long');
};

const AMZ_HEADERS = new Set([
  'x-amz-checksum-algorithm',
  'x-amz-checksum-mode',
  'x-amz-content-sha256',
  'x-amz-copy-source',
  'x-amz-copy-source-if-match',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-metadata-directive',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-security-token',
  'x-amz-server-side-encryption',
  'x-amz-storage-class',
  'x-amz-trailer',
  'x-amz-user-agent',
]);
const OF_SIGNATURE = /^x-amz-(algorithm|credential|date|expires|signature|signedheaders)$/;

/**
 * Rejects instructions that this server doesn’t support, because ignoring them would give another result.
 * @throws S3Error NotImplemented
 */
export const assertInstructions = (names: Iterable<string>): void => {
  for (const name of names) {
    const isKnown = AMZ_HEADERS.has(name) || isChecksum(name) || name.startsWith('x-amz-meta-');
    if (name.startsWith('x-amz-') && !isKnown && !OF_SIGNATURE.test(name)) {
      throw notImplemented(`the header ${name}`);
    }
  }
};

/** Returns the headers of a request, including those in the query of a presigned URL. */
export const getHeaders = (
  headers: IncomingMessage['headers'],
  query: URLSearchParams,
): S3Request['headers'] => {
  const all: Record<string, string> = {};
  for (const [parameter, value] of query) {
    const name = parameter.toLowerCase();
    if (name.startsWith('x-amz-')) all[name] = value;
  }
  for (const [name, value] of Object.entries(headers)) all[name] = String(value);
  return all;
};

const getLength = (header: string | undefined): number => {
  if (header === undefined || !/^\d{1,15}$/.test(header)) {
    throw new S3Error(
      411,
      'MissingContentLength',
      'You must provide the Content-Length HTTP header.',
    );
  }
  return Number(header);
};

const assertPayloadKind = (payload: string): void => {
  if (/^([\da-f]{64}|UNSIGNED-PAYLOAD|STREAMING-UNSIGNED-PAYLOAD-TRAILER)$/.test(payload)) return;
  if (payload.startsWith('STREAMING-')) throw notImplemented(`signed chunks (${payload})`);
  throw invalidArgument('x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a valid sha256 value.');
};

export interface Payload {
  readonly check: PayloadCheck;
  readonly bytes: AsyncGenerator<Buffer>;
}

/**
 * Opens the payload of a request. Reading it to its end checks its length, hash and checksums.
 * @throws S3Error MissingContentLength, EntityTooLarge, NotImplemented
 */
export const openPayload = (
  { headers, payload, body }: S3Request,
  maxBytes = MAX_OBJECT_BYTES,
): Payload => {
  assertPayloadKind(payload);
  const isChunked = payload.startsWith('STREAMING-');
  const length = getLength(headers[isChunked ? 'x-amz-decoded-content-length' : 'content-length']);
  const trailers = new Map<string, string>();
  const check = createPayloadCheck({ headers, sha256: payload, maxBytes, length, trailers });
  const source = isChunked ? decodeAwsChunked(body, trailers) : iterate(body);
  return { check, bytes: check.pass(source) };
};

/** Wraps an iterator for `for await`, so that an early stop doesn’t end the request. */
const iterate = (body: AsyncIterator<Buffer>): AsyncIterable<Buffer> => ({
  [Symbol.asyncIterator]: () => ({ next: () => body.next() }),
});

/** Reads the whole payload as text, for operations that take XML. */
export const readXml = async (request: S3Request): Promise<string> => {
  const { bytes } = openPayload(request, MAX_XML_BYTES);
  return text(bytes);
};
