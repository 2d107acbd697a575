import { createHash } from 'node:crypto';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { bucketName, clientOf, put, useBucket } from './support/local-s3.ts';

useBucket();

const md5 = (bytes: string | Buffer) => createHash('md5').update(bytes).digest('hex');

describe('PutObject and GetObject', () => {
  it('keep the body, its type, its headers and its metadata', async () => {
    const Body = 'hello world';
    const stored = await put('a/b c+é.txt', Body, {
      ContentType: 'text/plain',
      ContentEncoding: 'identity',
      ContentDisposition: 'inline; filename="b.txt"',
      CacheControl: 'max-age=5',
      Metadata: { foo: 'bar' },
    });
    expect(stored.ETag).toBe(`"${md5(Body)}"`);
    const { Body: body, ...read } = await clientOf().send(
      new GetObjectCommand({ Bucket: bucketName(), Key: 'a/b c+é.txt' }),
    );
    expect(await body?.transformToString()).toBe(Body);
    expect(read).toMatchObject({
      ContentType: 'text/plain',
      ContentEncoding: 'identity',
      ContentDisposition: 'inline; filename="b.txt"',
      CacheControl: 'max-age=5',
      ContentLength: 11,
      AcceptRanges: 'bytes',
      ETag: stored.ETag,
      Metadata: { foo: 'bar' },
      LastModified: expect.any(Date),
    });
  });
});
