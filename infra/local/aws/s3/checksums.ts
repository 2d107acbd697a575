import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { notImplemented } from './s3-error.ts';

interface Digest {
  update(bytes: Uint8Array): unknown;
  /** Returns the digest in base64. */
  value(): string;
}

const hash = (name: string) => (): Digest => {
  const digest = createHash(name);
  return { update: (bytes) => digest.update(bytes), value: () => digest.digest('base64') };
};

const algorithms: Readonly<Record<string, () => Digest>> = {
  'x-amz-checksum-crc32': () => {
    let sum = 0;
    return {
      update(bytes) {
        sum = crc32(bytes, sum);
      },
      value() {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32BE(sum);
        return bytes.toString('base64');
      },
    };
  },
  'x-amz-checksum-sha1': hash('sha1'),
  'x-amz-checksum-sha256': hash('sha256'),
};

/** Headers that have the prefix of a checksum but contain none. */
const OTHERS = new Set(['x-amz-checksum-algorithm', 'x-amz-checksum-mode', 'x-amz-checksum-type']);

export const isChecksum = (header: string): boolean =>
  header.startsWith('x-amz-checksum-') && !OTHERS.has(header);

/**
 * Starts the digest for a header such as `x-amz-checksum-crc32`.
 * @throws S3Error NotImplemented for CRC-32C, CRC-64 and xxHash, which the SDK sends only on request
 */
export const startChecksum = (header: string): Digest => {
  const start = algorithms[header];
  if (!start) throw notImplemented(`the checksum ${header}`);
  return start();
};
