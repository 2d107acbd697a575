import { request } from 'node:http';
import {
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bucketName,
  clientOf,
  codeOf,
  credentials,
  put,
  refusalOf,
  sendSigned,
  signedHeaders,
  textOf,
  urlOf,
  useBucket,
} from '../../../support/s3/local-s3.ts';

useBucket();
beforeAll(async () => {
  await put('object', '0123456789');
});
afterEach(() => {
  vi.useRealTimers();
});

const minutes = (count: number) => count * 60_000;
const refused = async (response: Response) => [response.status, await codeOf(response)];

describe('a signature in the headers', () => {
  const get = (options: Parameters<typeof clientOf>[0]) =>
    clientOf(options).send(new GetObjectCommand({ Bucket: bucketName(), Key: 'object' }));

  it('accepts any region', async () => {
    const { ContentLength } = await get({ region: 'ap-southeast-2' });
    expect(ContentLength).toBe(10);
  });

  it('requires the correct key', async () => {
    const { accessKeyId } = await credentials();
    const forged = { accessKeyId, secretAccessKey: 'wrong' };
    expect(await refusalOf(get({ credentials: forged }))).toEqual({
      name: 'SignatureDoesNotMatch',
      status: 403,
    });
    const stranger = { ...(await credentials()), accessKeyId: 'stranger' };
    expect(await refusalOf(get({ credentials: stranger }))).toEqual({
      name: 'InvalidAccessKeyId',
      status: 403,
    });
  });

  it('accepts a session token', async () => {
    const temporary = { ...(await credentials()), sessionToken: 'a token' };
    expect(await get({ credentials: temporary })).toMatchObject({ ContentLength: 10 });
  });

  it.each([-16, 16])('rejects a clock skew of %i minutes', async (offset) => {
    const skewed = get({ systemClockOffset: minutes(offset) });
    expect(await refusalOf(skewed)).toEqual({ name: 'RequestTimeTooSkewed', status: 403 });
  });

  it.each([-14, 14])('accepts a clock skew of %i minutes', async (offset) => {
    expect(await get({ systemClockOffset: minutes(offset) })).toMatchObject({ ContentLength: 10 });
  });

  it('covers the method, path, query and signed headers', async () => {
    const url = `${urlOf('object')}?response-content-type=a`;
    const headers = await signedHeaders('GET', url, { 'x-amz-meta-a': '1' });
    const sent = (change: { method?: string; url?: string; header?: string }) =>
      fetch(change.url ?? url, {
        method: change.method ?? 'GET',
        headers: { ...headers, ...(change.header && { 'x-amz-meta-a': change.header }) },
      });
    expect((await sent({})).status).toBe(200);
    const error = [403, 'SignatureDoesNotMatch'];
    expect(await refused(await sent({ method: 'DELETE' }))).toEqual(error);
    expect(await refused(await sent({ url: url.replace('object', 'other') }))).toEqual(error);
    expect(await refused(await sent({ url: `${url}&prefix=x` }))).toEqual(error);
    expect(await refused(await sent({ header: '2' }))).toEqual(error);
    expect(await textOf('object')).toBe('0123456789');
  });

  it('must cover every header that S3 uses', async () => {
    const response = await sendSigned('PUT', urlOf('extra'), {
      unsigned: { 'x-amz-meta-added': 'on the way' },
      body: 'x',
    });
    expect(await refused(response)).toEqual([403, 'AccessDenied']);
    expect(await textOf('extra')).toBeUndefined();
  });

  it('is required: rejects an unsigned request', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'POST']) {
      expect(await refused(await fetch(urlOf('object'), { method }))).toEqual([
        403,
        'AccessDenied',
      ]);
    }
    expect((await fetch(urlOf('object'), { method: 'HEAD' })).status).toBe(403);
  });

  it('must be well formed', async () => {
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=test' };
    expect(await refused(await fetch(urlOf('object'), { headers }))).toEqual([
      400,
      'AuthorizationHeaderMalformed',
    ]);
  });
});

describe('a presigned GET', () => {
  const urlOfGet = (options: Partial<GetObjectCommandInput> = {}, expiresIn = 60) =>
    getSignedUrl(
      clientOf(),
      new GetObjectCommand({ Bucket: bucketName(), Key: 'object', ...options }),
      { expiresIn },
    );

  it('returns the object and its ranges', async () => {
    const url = await urlOfGet();
    const whole = await fetch(url);
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    const part = await fetch(url, { headers: { range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, '0123']);
  });

  it('returns only the signed type and disposition', async () => {
    const url = await urlOfGet({
      ResponseContentDisposition: 'attachment; filename="x y.pdf"',
      ResponseContentType: 'application/pdf',
    });
    const { headers } = await fetch(url);
    expect(headers.get('content-disposition')).toBe('attachment; filename="x y.pdf"');
    expect(headers.get('content-type')).toBe('application/pdf');
    const changed = url.replace('application%2Fpdf', 'text%2Fhtml');
    expect(await refused(await fetch(changed))).toEqual([403, 'SignatureDoesNotMatch']);
    const added = `${await urlOfGet()}&response-content-type=text%2Fhtml`;
    expect(await refused(await fetch(added))).toEqual([403, 'SignatureDoesNotMatch']);
  });

  it('is valid for its object, method and signature only', async () => {
    const url = await urlOfGet();
    const error = [403, 'SignatureDoesNotMatch'];
    const forged = url.replace(/X-Amz-Signature=.{8}/, 'X-Amz-Signature=00000000');
    expect(await refused(await fetch(forged))).toEqual(error);
    const short = url.replace(/(X-Amz-Signature=.{8})\w+/, '$1');
    expect(await refused(await fetch(short))).toEqual(error);
    expect(await refused(await fetch(url.replace('/object', '/other')))).toEqual(error);
    expect(await refused(await fetch(url, { method: 'DELETE' }))).toEqual(error);
    expect(await textOf('object')).toBe('0123456789');
  });

  it('expires as signed, even if its query is changed', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    const url = await urlOfGet({}, 60);
    vi.setSystemTime(now + 59_000);
    expect((await fetch(url)).status).toBe(200);
    vi.setSystemTime(now + 61_000);
    const late = await fetch(url);
    expect(late.status).toBe(403);
    expect(await late.text()).toContain(
      '<Code>AccessDenied</Code><Message>Request has expired</Message>',
    );
    const longer = url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600');
    expect(await refused(await fetch(longer))).toEqual([403, 'SignatureDoesNotMatch']);
  });

  it('rejects a signing time in the future', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes(20) });
    const url = await urlOfGet();
    vi.useRealTimers();
    expect(await refused(await fetch(url))).toEqual([403, 'AccessDenied']);
  });

  it.each([
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1'],
    ['X-Amz-Credential', 'test'],
    ['X-Amz-Date', 'today'],
    ['X-Amz-Date', '20261399T000000Z'],
    ['X-Amz-Expires', '0'],
    ['X-Amz-Expires', '604801'],
    ['X-Amz-Expires', 'x'],
    ['X-Amz-SignedHeaders', ''],
  ])('is rejected with %s=%s', async (name, value) => {
    const url = new URL(await urlOfGet());
    url.searchParams.set(name, value);
    expect(await refused(await fetch(url))).toEqual([400, 'AuthorizationQueryParametersError']);
  });

  it('rejects unsigned headers', async () => {
    const headers = { 'x-amz-meta-a': '1' };
    expect(await refused(await fetch(await urlOfGet(), { headers }))).toEqual([
      403,
      'AccessDenied',
    ]);
  });

  it('serves HEAD if signed for HEAD', async () => {
    const url = await getSignedUrl(
      clientOf(),
      new HeadObjectCommand({ Bucket: bucketName(), Key: 'object' }),
    );
    const { status, headers } = await fetch(url, { method: 'HEAD' });
    expect([status, headers.get('content-length')]).toEqual([200, '10']);
  });
});

describe('a presigned PUT', () => {
  const urlOfPut = (options: Partial<PutObjectCommandInput>, signed: string[] = []) =>
    getSignedUrl(
      clientOf({ requestChecksumCalculation: 'WHEN_REQUIRED' }),
      new PutObjectCommand({ Bucket: bucketName(), Key: 'uploaded', ...options }),
      { expiresIn: 60, ...(signed.length > 0 && { signableHeaders: new Set(signed) }) },
    );
  const upload = async (url: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { method: 'PUT', body, headers });
    return response.ok ? response.status : refused(response);
  };

  it('stores the body with the signed metadata', async () => {
    const url = await urlOfPut({ ContentType: 'text/plain', Metadata: { a: '1' } });
    expect(await upload(url, 'presigned', { 'content-type': 'text/plain' })).toBe(200);
    const object = await clientOf().send(
      new GetObjectCommand({ Bucket: bucketName(), Key: 'uploaded' }),
    );
    expect(object).toMatchObject({ ContentType: 'text/plain', Metadata: { a: '1' } });
    expect(await object.Body?.transformToString()).toBe('presigned');
  });

  it('requires the signed length and type', async () => {
    const url = await urlOfPut({ Key: 'held', ContentLength: 5, ContentType: 'text/plain' }, [
      'host',
      'content-length',
      'content-type',
    ]);
    const type = { 'content-type': 'text/plain' };
    const error = [403, 'SignatureDoesNotMatch'];
    expect(await upload(url, 'too long', type)).toEqual(error);
    expect(await upload(url, 'right', { 'content-type': 'text/html' })).toEqual(error);
    expect(await textOf('held')).toBeUndefined();
    expect(await upload(url, 'right', type)).toBe(200);
  });

  it('requires the signed checksum', async () => {
    const ChecksumSHA256 = 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=';
    const url = await urlOfPut({ Key: 'summed', ChecksumSHA256 });
    expect(await upload(url, 'abd')).toEqual([400, 'BadDigest']);
    expect(await textOf('summed')).toBeUndefined();
    expect(await upload(url, 'abc')).toBe(200);
  });
});

describe('a foreign host name', () => {
  const statusFrom = async (host: string) => {
    const { pathname } = new URL(urlOf('object'));
    const headers = await signedHeaders('GET', `http://${host}${pathname}`);
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    request(urlOf('object'), { headers: { ...headers, host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
    return promise;
  };

  it('is rejected to prevent DNS rebinding', async () => {
    expect(await statusFrom('localhost:1')).toBe(200);
    expect(await statusFrom('evil.example')).toBe(421);
  });
});

describe('an error response', () => {
  it('follows the whole body, so that the client can read it and reuse the connection', async () => {
    const response = await fetch(urlOf('refused'), { method: 'PUT', body: 'x'.repeat(1_000_000) });
    expect(await refused(response)).toEqual([403, 'AccessDenied']);
    expect(response.headers.get('connection')).toBe('keep-alive');
  });
});
