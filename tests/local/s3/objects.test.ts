import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import {
  bucketName,
  clientOf,
  codeOf,
  etagOf,
  head,
  put,
  read,
  refusalOf,
  remove,
  sendSigned,
  textOf,
  urlOf,
  useBucket,
} from '../../support/s3/local-s3.ts';

useBucket();

const digest = (algorithm: string, bytes: string | Buffer) =>
  createHash(algorithm).update(bytes).digest('base64');

describe('PutObject', () => {
  it('stores the body, type, headers and metadata', async () => {
    const stored = await put('a/b c+é.txt', 'hello world', {
      ContentType: 'text/plain',
      ContentEncoding: 'identity',
      ContentDisposition: 'inline; filename="b.txt"',
      CacheControl: 'max-age=5',
      Metadata: { foo: 'bar' },
    });
    expect(stored.ETag).toBe(etagOf('hello world'));
    expect(await read('a/b c+é.txt')).toMatchObject({
      text: 'hello world',
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

  it('replaces the object with its headers and metadata', async () => {
    await put('replaced', 'first', { ContentType: 'text/plain', Metadata: { old: '1' } });
    await put('replaced', '2', {});
    expect(await read('replaced')).toMatchObject({
      text: '2',
      ContentType: 'application/octet-stream',
      Metadata: {},
    });
  });

  it('stores a stream sent as aws-chunked', async () => {
    const bytes = randomBytes(300 * 1024);
    const parts = [bytes.subarray(0, 100_000), bytes.subarray(100_000)];
    const stored = await put('stream', Readable.from(parts), { ContentLength: bytes.length });
    expect(stored.ChecksumCRC32).toMatch(/^[\w+/]{6}==$/);
    const { Body, ContentEncoding } = await clientOf().send(
      new GetObjectCommand({ Bucket: bucketName(), Key: 'stream' }),
    );
    expect(bytes.equals((await Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
    expect(ContentEncoding).toBeUndefined();
  });

  it('stores an empty object, and a key of 1,000 characters', async () => {
    await put('zero', '');
    expect(await read('zero')).toMatchObject({ text: '', ContentLength: 0, ETag: etagOf('') });
    const key = 'k'.repeat(1000);
    await put(key, 'long');
    expect(await textOf(key)).toBe('long');
  });

  it('rejects a key over 1,024 bytes', async () => {
    const error = { name: 'KeyTooLongError', status: 400 };
    expect(await refusalOf(put('é'.repeat(513), ''))).toEqual(error);
    await put('é'.repeat(512), '');
  });

  it('accepts SSE-S3 encryption and a storage class', async () => {
    const options = { ServerSideEncryption: 'AES256', StorageClass: 'STANDARD_IA' } as const;
    await put('encrypted', 'x', options);
    expect(await read('encrypted')).toMatchObject(options);
  });

  it.each([
    ['tags', { Tagging: 'a=1' }],
    ['an access list', { ACL: 'public-read' }],
    ['a key of KMS', { ServerSideEncryption: 'aws:kms' }],
    ['a checksum it can’t compute', { ChecksumCRC32C: 'AAAAAA==' }],
    ['a condition on an ETag', { IfMatch: '"x"' }],
  ] as const)('returns NotImplemented for %s', async (_, options) => {
    const error = { name: 'NotImplemented', status: 501 };
    expect(await refusalOf(put('not-stored', 'x', options))).toEqual(error);
    expect(await textOf('not-stored')).toBeUndefined();
  });

  it('rejects metadata over 2 KB', async () => {
    const error = { name: 'MetadataTooLarge', status: 400 };
    expect(await refusalOf(put('m', '', { Metadata: { a: 'x'.repeat(2048) } }))).toEqual(error);
    await put('m', '', { Metadata: { a: 'x'.repeat(2047) } });
  });

  it('requires a length', async () => {
    const streaming = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
    const headers = { 'x-amz-content-sha256': streaming, 'content-encoding': 'aws-chunked' };
    const response = await sendSigned('PUT', urlOf('no-length'), { headers, body: '0\r\n\r\n' });
    expect(response.status).toBe(411);
    expect(await codeOf(response)).toBe('MissingContentLength');
  });
});

describe('digests of a payload', () => {
  it('are stored and returned on request', async () => {
    // The CRC-32 of "abc", and a digest of the caller's choice.
    expect(await put('crc', 'abc')).toMatchObject({
      ChecksumCRC32: 'NSRBwg==',
      ChecksumType: 'FULL_OBJECT',
    });
    expect(await head('crc')).toMatchObject({ ChecksumCRC32: 'NSRBwg==' });
    const ChecksumSHA256 = digest('sha256', 'abc');
    await put('sha', 'abc', { ChecksumSHA256, ContentMD5: digest('md5', 'abc') });
    expect(await head('sha')).toMatchObject({ ChecksumSHA256 });
    const unasked = await sendSigned('HEAD', urlOf('sha'));
    expect(unasked.headers.has('x-amz-checksum-sha256')).toBe(false);
  });

  it.each([
    ['x-amz-checksum-crc32', { ChecksumCRC32: 'AAAAAA==' }],
    ['x-amz-checksum-sha1', { ChecksumSHA1: digest('sha1', 'zzz') }],
    ['x-amz-checksum-sha256', { ChecksumSHA256: digest('sha256', 'zzz') }],
    ['content-md5', { ContentMD5: digest('md5', 'zzz') }],
  ])('are verified: an incorrect %s stores nothing', async (_, options) => {
    const error = { name: 'BadDigest', status: 400 };
    expect(await refusalOf(put('wrong-digest', 'abc', options))).toEqual(error);
    expect(await textOf('wrong-digest')).toBeUndefined();
  });

  it('are verified: an incorrect x-amz-content-sha256 stores nothing', async () => {
    const sha256 = createHash('sha256').update('zzz').digest('hex');
    const headers = { 'x-amz-content-sha256': sha256 };
    const response = await sendSigned('PUT', urlOf('wrong-sha'), { headers, body: 'abc' });
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('XAmzContentSHA256Mismatch');
    expect(await textOf('wrong-sha')).toBeUndefined();
  });
});

describe('a body encoded as aws-chunked', () => {
  const send = (key: string, body: string, more: Record<string, string> = {}) =>
    sendSigned('PUT', urlOf(key), {
      headers: {
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'content-encoding': 'gzip,aws-chunked',
        'x-amz-decoded-content-length': '3',
        'x-amz-trailer': 'x-amz-checksum-crc32',
        ...more,
      },
      body,
    });
  const trailer = 'x-amz-checksum-crc32:NSRBwg==\r\n\r\n';

  it('is decoded, and keeps its other encodings', async () => {
    const response = await send('chunks', `1\r\na\r\n2\r\nbc\r\n0\r\n${trailer}`);
    expect(response.status).toBe(200);
    const object = await sendSigned('HEAD', urlOf('chunks'));
    expect(object.headers.get('content-encoding')).toBe('gzip');
    expect(object.headers.get('content-length')).toBe('3');
    expect(object.headers.get('etag')).toBe(etagOf('abc'));
  });

  it.each([
    ['a wrong trailer', 'BadDigest', '3\r\nabc\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n'],
    ['no trailer', 'MalformedTrailerError', '3\r\nabc\r\n0\r\n\r\n'],
    ['another length', 'IncompleteBody', `2\r\nab\r\n0\r\n${trailer}`],
    ['an early end', 'IncompleteBody', '3\r\nabc\r\n'],
    ['no end of its trailers', 'IncompleteBody', '3\r\nabc\r\n0\r\n'],
    ['a size that is no number', 'IncompleteBody', `x\r\nabc\r\n0\r\n${trailer}`],
    ['a chunk longer than it says', 'IncompleteBody', `2\r\nabc\r\n0\r\n${trailer}`],
    ['a size line without an end', 'IncompleteBody', '1'.repeat(20_000)],
  ])('is rejected with %s', async (_, code, body) => {
    const response = await send('bad-chunks', body);
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe(code);
    expect(await textOf('bad-chunks')).toBeUndefined();
  });

  it('is rejected with signed chunks', async () => {
    const kind = { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' };
    const response = await send('signed-chunks', '0\r\n\r\n', kind);
    expect(response.status).toBe(501);
    expect(await codeOf(response)).toBe('NotImplemented');
  });
});

describe('If-None-Match: * on a write', () => {
  it('stores a new object, and keeps an existing one', async () => {
    await put('once', '1', { IfNoneMatch: '*' });
    const error = { name: 'PreconditionFailed', status: 412 };
    expect(await refusalOf(put('once', '2', { IfNoneMatch: '*' }))).toEqual(error);
    expect(await textOf('once')).toBe('1');
    await remove('once');
    await put('once', '3', { IfNoneMatch: '*' });
    expect(await textOf('once')).toBe('3');
  });

  it('stores one of 20 concurrent writes', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        put('race', `by ${index}`, { IfNoneMatch: '*' }).then(() => index),
      ),
    );
    const winners = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    const losers = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason.name] : [],
    );
    expect(winners).toHaveLength(1);
    expect(losers).toEqual(Array(19).fill('PreconditionFailed'));
    expect(await textOf('race')).toBe(`by ${winners[0]}`);
  });
});
