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
  it('copies an object that is still the one that was named, and no other', async () => {
    await put('from', 'Hello');
    await copy('from', 'same', { CopySourceIfMatch: etagOf('Hello') });
    expect(await textOf('same')).toBe('Hello');
    const refused = copy('from', 'other', { CopySourceIfMatch: etagOf('Bye') });
    expect(await refusalOf(refused)).toEqual({ name: 'PreconditionFailed', status: 412 });
    expect(await textOf('other')).toBeUndefined();
  });

  it('computes the checksum that is asked for, and keeps it', async () => {
    await put('from', 'Hello');
    const { CopyObjectResult } = await copy('from', 'summed', { ChecksumAlgorithm: 'SHA256' });
    expect(CopyObjectResult?.ChecksumSHA256).toBe(sha256);
    expect((await head('summed')).ChecksumSHA256).toBe(sha256);
  });

  it('has no other checksum than the source had where none is asked for', async () => {
    await put('from', 'Hello', { ChecksumSHA256: sha256 });
    const { CopyObjectResult } = await copy('from', 'plain');
    expect(CopyObjectResult?.ChecksumSHA256).toBe(sha256);
    const computed = await copy('from', 'again', { ChecksumAlgorithm: 'SHA256' });
    expect(computed.CopyObjectResult?.ChecksumSHA256).toBe(sha256);
  });

  it('says which checksum it can not compute', async () => {
    await put('from', 'Hello');
    const refused = copy('from', 'to', { ChecksumAlgorithm: 'CRC64NVME' });
    expect(await refusalOf(refused)).toMatchObject({ status: 501 });
  });
});
