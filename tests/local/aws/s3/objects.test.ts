import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { CopyObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
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
} from '../../../support/s3/local-s3.ts';

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

describe('an object opened by a browser', () => {
  it.each([
    ['text/html', 'sandbox'],
    ['TEXT/HTML; charset=utf-8', 'sandbox'],
    ['application/xhtml+xml', 'sandbox'],
    ['image/svg+xml', 'sandbox'],
    ['text/xml', 'sandbox'],
    ['image/png', null],
  ])('of type %s has the policy %s and its stored type', async (ContentType, policy) => {
    await put('opened', '<script>1</script>', { ContentType });
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await sendSigned(method, urlOf('opened'));
      expect(headers.get('content-security-policy')).toBe(policy);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('has the policy of the requested type', async () => {
    await put('opened', '<script>1</script>', { ContentType: 'image/png' });
    const url = `${urlOf('opened')}?response-content-type=text%2Fhtml`;
    const { headers } = await sendSigned('GET', url);
    expect(headers.get('content-security-policy')).toBe('sandbox');
  });
});

describe('GetObject', () => {
  beforeAll(async () => {
    await put('digits', '0123456789', { ContentType: 'text/plain' });
  });

  it.each([
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-30', '0123456789', 'bytes 0-9/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
  ])('returns the range %s', async (Range, text, ContentRange) => {
    expect(await read('digits', { Range })).toMatchObject({
      text,
      ContentRange,
      status: 206,
      ContentLength: text.length,
      ContentType: 'text/plain',
    });
  });

  it.each(['bytes=10-', 'bytes=100-200', 'bytes=-0'])('rejects the range %s', async (Range) => {
    const response = await sendSigned('GET', urlOf('digits'), { unsigned: { range: Range } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(await codeOf(response)).toBe('InvalidRange');
  });

  it.each(['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])(
    'returns the whole object for the range %s',
    async (Range) => {
      expect(await read('digits', { Range })).toMatchObject({ text: '0123456789', status: 200 });
    },
  );

  it('returns the whole object when If-Range does not match', async () => {
    const get = (etag: string) =>
      sendSigned('GET', urlOf('digits'), { unsigned: { range: 'bytes=0-1', 'if-range': etag } });
    expect((await get(etagOf('0123456789'))).status).toBe(206);
    expect((await get(etagOf('older'))).status).toBe(200);
  });

  it('returns 304 when If-None-Match matches', async () => {
    const IfNoneMatch = etagOf('0123456789');
    expect(await refusalOf(read('digits', { IfNoneMatch }))).toMatchObject({ status: 304 });
    expect(await read('digits', { IfNoneMatch: etagOf('older') })).toMatchObject({ status: 200 });
  });

  it('returns 412 when If-Match does not match', async () => {
    const error = { name: 'PreconditionFailed', status: 412 };
    expect(await refusalOf(read('digits', { IfMatch: etagOf('older') }))).toEqual(error);
    expect(await read('digits', { IfMatch: etagOf('0123456789') })).toMatchObject({ status: 200 });
  });

  it('returns the requested type and disposition', async () => {
    expect(
      await read('digits', {
        ResponseContentType: 'application/pdf',
        ResponseContentDisposition: 'attachment; filename="ü.pdf"',
        ResponseCacheControl: 'no-store',
      }),
    ).toMatchObject({
      ContentType: 'application/pdf',
      // The bytes of UTF-8, as a client reads them.
      ContentDisposition: Buffer.from('attachment; filename="ü.pdf"').toString('latin1'),
      CacheControl: 'no-store',
    });
  });

  it('does not allow header injection', async () => {
    const ResponseContentType = 'text/plain\r\nset-cookie: a=b';
    const error = { name: 'InvalidArgument', status: 400 };
    expect(await refusalOf(read('digits', { ResponseContentType }))).toEqual(error);
  });

  it('returns the old bytes of a running read when the object is replaced', async () => {
    const old = randomBytes(8 * 1024 * 1024);
    await put('changing', old);
    const { Body } = await clientOf().send(
      new GetObjectCommand({ Bucket: bucketName(), Key: 'changing' }),
    );
    await put('changing', 'new');
    expect(old.equals((await Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
    expect(await textOf('changing')).toBe('new');
  });
});

describe('a missing object', () => {
  it('returns NoSuchKey for GetObject and NotFound for HeadObject', async () => {
    expect(await refusalOf(read('nope'))).toEqual({ name: 'NoSuchKey', status: 404 });
    expect(await refusalOf(head('nope'))).toEqual({ name: 'NotFound', status: 404 });
  });

  it('returns an XML error with the request id', async () => {
    const response = await sendSigned('GET', urlOf('n<p>'));
    expect(response.headers.get('content-type')).toBe('application/xml');
    const id = response.headers.get('x-amz-request-id');
    expect(id).toMatch(/^[\dA-F]{16}$/);
    expect(await response.text()).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Resource>/${bucketName()}/n%3Cp%3E</Resource><RequestId>${id}</RequestId></Error>`,
    );
  });
});

describe('DeleteObject', () => {
  it('deletes the object, also if repeated', async () => {
    await put('deleted', 'x');
    for (const _ of [1, 2]) {
      const { $metadata } = await remove('deleted');
      expect($metadata.httpStatusCode).toBe(204);
      expect(await textOf('deleted')).toBeUndefined();
    }
  });
});

describe('CopyObject', () => {
  const copy = (Key: string, source: string, options: object = {}) =>
    clientOf().send(
      new CopyObjectCommand({
        Bucket: bucketName(),
        Key,
        CopySource: `${bucketName()}/${encodeURIComponent(source)}`,
        ...options,
      }),
    );

  it('copies the bytes, and the metadata unless replaced', async () => {
    await put('from é', 'bytes', { ContentType: 'text/plain', Metadata: { a: '1' } });
    await copy('to', 'from é');
    const copied = { text: 'bytes', ETag: etagOf('bytes') };
    expect(await read('to')).toMatchObject({
      ...copied,
      ContentType: 'text/plain',
      Metadata: { a: '1' },
    });
    const own = { ContentType: 'text/css', Metadata: { b: '2' } };
    await copy('to', 'to', { MetadataDirective: 'REPLACE', ...own });
    expect(await read('to')).toMatchObject({ ...copied, ...own });
  });

  it('rejects a missing source, and a copy without changes', async () => {
    expect(await refusalOf(copy('to', 'nope'))).toEqual({ name: 'NoSuchKey', status: 404 });
    await put('itself', '');
    const error = { name: 'InvalidRequest', status: 400 };
    expect(await refusalOf(copy('itself', 'itself'))).toEqual(error);
    await copy('of nothing', 'itself');
    expect(await textOf('of nothing')).toBe('');
  });
});
