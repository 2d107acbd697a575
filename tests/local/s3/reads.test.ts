import { randomBytes } from 'node:crypto';
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
} from '../../support/s3/local-s3.ts';

useBucket();

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
