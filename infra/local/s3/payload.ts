import { createHash } from 'node:crypto';
import { isChecksum, startChecksum } from './checksums.ts';
import { S3Error } from './s3-error.ts';

/** S3's own limit on what one request uploads. */
export const MAX_OBJECT_BYTES = 5 * 1024 ** 3;

type Headers = Readonly<Record<string, string | undefined>>;

export interface PayloadRules {
  readonly headers: Headers;
  /** What `x-amz-content-sha256` says: the hash in hex, or a word. */
  readonly sha256?: string;
  readonly minBytes?: number;
  readonly maxBytes?: number;
  /** Checksums to compute that nobody has told, by their headers. */
  readonly compute?: readonly string[];
  /** The length that was announced, in bytes. */
  readonly length?: number;
  /** What follows the payload, there when it has ended. */
  readonly trailers?: ReadonlyMap<string, string>;
}

export interface PayloadCheck {
  /** Passes the bytes on, and throws instead of ending where a rule is broken. */
  pass(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  /** Of the whole payload, once it has passed. */
  size(): number;
  etag(): string;
  /** The checksums that were sent or asked for, by their header. */
  checksums(): Record<string, string>;
}

const badDigest = (name: string): S3Error =>
  new S3Error(400, 'BadDigest', `The ${name} you specified did not match what we received.`);

const assertSize = (size: number, { minBytes = 0, length }: PayloadRules): void => {
  if (length !== undefined && size !== length) {
    throw new S3Error(
      400,
      'IncompleteBody',
      'You did not provide the number of bytes specified by the Content-Length HTTP header',
    );
  }
  if (size < minBytes) {
    throw new S3Error(
      400,
      'EntityTooSmall',
      'Your proposed upload is smaller than the minimum allowed size',
    );
  }
};

/**
 * Checks a payload while it streams: its size, and each digest that the headers or the trailers tell.
 * @throws S3Error NotImplemented for a checksum that this server can't compute
 */
export const createPayloadCheck = (rules: PayloadRules): PayloadCheck => {
  const { headers, sha256: told, maxBytes = MAX_OBJECT_BYTES, trailers } = rules;
  const md5 = createHash('md5');
  const sha256 = told && /^[\da-f]{64}$/.test(told) ? createHash('sha256') : undefined;
  const announced = headers['x-amz-trailer']?.split(',').map((name) => name.trim().toLowerCase());
  const names = [...Object.keys(headers), ...(announced ?? [])].filter(isChecksum);
  const computed = (rules.compute ?? []).filter((name) => !names.includes(name));
  const digests = new Map([...names, ...computed].map((name) => [name, startChecksum(name)]));
  const sums: Record<string, string> = {};
  let size = 0;
  let md5Hex = '';

  const checkDigests = (): void => {
    const digest = md5.digest();
    md5Hex = digest.toString('hex');
    const contentMd5 = headers['content-md5'];
    if (contentMd5 && contentMd5 !== digest.toString('base64')) throw badDigest('Content-MD5');
    if (sha256 && sha256.digest('hex') !== told) {
      throw new S3Error(
        400,
        'XAmzContentSHA256Mismatch',
        "The provided 'x-amz-content-sha256' header does not match what was computed.",
      );
    }
    for (const name of announced ?? []) {
      if (trailers?.has(name)) continue;
      throw new S3Error(400, 'MalformedTrailerError', `The trailer ${name} is missing.`);
    }
    for (const [name, checksum] of digests) {
      const value = checksum.value();
      const isTold = !computed.includes(name);
      if (isTold && (headers[name] ?? trailers?.get(name)) !== value) throw badDigest(name);
      sums[name] = value;
    }
  };

  return {
    async *pass(bytes) {
      for await (const part of bytes) {
        size += part.length;
        if (size > maxBytes) {
          throw new S3Error(
            400,
            'EntityTooLarge',
            'Your proposed upload exceeds the maximum allowed size',
          );
        }
        md5.update(part);
        sha256?.update(part);
        for (const digest of digests.values()) digest.update(part);
        yield part;
      }
      assertSize(size, rules);
      checkDigests();
    },
    size: () => size,
    etag: () => `"${md5Hex}"`,
    checksums: () => sums,
  };
};
