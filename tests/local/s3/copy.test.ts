import { createHash } from 'node:crypto';
import { CopyObjectCommand, type CopyObjectCommandInput } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import {
  bucketName,
  clientOf,
  etagOf,
  head,
  put,
  refusalOf,
  textOf,
  useBucket,
} from '../../support/s3/local-s3.ts';

useBucket();

const sha256 = createHash('sha256').update('Hello').digest('base64');

const copy = (from: string, to: string, options: Partial<CopyObjectCommandInput> = {}) =>
  clientOf().send(
    new CopyObjectCommand({
      Bucket: bucketName(),
      CopySource: `${bucketName()}/${from}`,
      Key: to,
      ...options,
    }),
  );

describe('CopyObject', () => {
  it('copies an object only with the expected ETag', async () => {
    await put('from', 'Hello');
    await copy('from', 'same', { CopySourceIfMatch: etagOf('Hello') });
    expect(await textOf('same')).toBe('Hello');
    const refused = copy('from', 'other', { CopySourceIfMatch: etagOf('Bye') });
    expect(await refusalOf(refused)).toEqual({ name: 'PreconditionFailed', status: 412 });
    expect(await textOf('other')).toBeUndefined();
  });

  it('computes and stores the requested checksum', async () => {
    await put('from', 'Hello');
    const { CopyObjectResult } = await copy('from', 'summed', { ChecksumAlgorithm: 'SHA256' });
    expect(CopyObjectResult?.ChecksumSHA256).toBe(sha256);
    expect((await head('summed')).ChecksumSHA256).toBe(sha256);
  });

  it('keeps the checksum of the source by default', async () => {
    await put('from', 'Hello', { ChecksumSHA256: sha256 });
    const { CopyObjectResult } = await copy('from', 'plain');
    expect(CopyObjectResult?.ChecksumSHA256).toBe(sha256);
    const computed = await copy('from', 'again', { ChecksumAlgorithm: 'SHA256' });
    expect(computed.CopyObjectResult?.ChecksumSHA256).toBe(sha256);
  });

  it('names an unsupported checksum', async () => {
    await put('from', 'Hello');
    const refused = copy('from', 'to', { ChecksumAlgorithm: 'CRC64NVME' });
    expect(await refusalOf(refused)).toMatchObject({ status: 501 });
  });
});
