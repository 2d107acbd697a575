import { createHash } from 'node:crypto';
import { isChecksum, startChecksum } from './checksums.ts';
import { S3Error } from './s3-error.ts';

/** Limit of S3 for one upload. */
export const MAX_OBJECT_BYTES = 5 * 1024 ** 3;

type Headers = Readonly<Record<string, string | undefined>>;

export interface PayloadRules {
  readonly headers: Headers;
  /** The value of `x-amz-content-sha256`: the hash in hex, or a keyword. */
  readonly sha256?: string;
  readonly minBytes?: number;
  readonly maxBytes?: number;
  /** Headers of checksums to compute in addition to those in the request. */
  readonly compute?: readonly string[];
  /** Expected length in bytes. */
  readonly length?: number;
  /** The trailers of the payload, available after its end. */
  readonly trailers?: ReadonlyMap<string, string>;
}

export interface PayloadCheck {
  /** Passes the bytes on, and throws as soon as a rule is broken, at the latest after the last byte. */
  pass(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  /** Returns the size of the whole payload, after it has passed. */
  size(): number;
  etag(): string;
  /** Returns the checksums that were sent or requested, by header name. */
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
 * Creates a check of a streaming payload: its size and every digest in the headers or trailers.
 * @throws S3Error NotImplemented for an unsupported checksum
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
