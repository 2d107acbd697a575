import { createHash } from 'node:crypto';
import {
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutBucketCorsCommand,
  PutBucketVersioningCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bucketName,
  clientOf,
  codeOf,
  etagOf,
  head,
  ORIGIN,
  put,
  refusalOf,
  sendSigned,
  textOf,
  urlOf,
  useBucket,
} from '../../../support/s3/local-s3.ts';

useBucket();

const list = async (options: Partial<ListObjectsV2CommandInput> = {}) => {
  const command = new ListObjectsV2Command({ Bucket: bucketName(), ...options });
  const { Contents = [], CommonPrefixes = [], ...rest } = await clientOf().send(command);
  return {
    ...rest,
    contents: Contents,
    keys: Contents.map(({ Key }) => Key),
    prefixes: CommonPrefixes.map(({ Prefix }) => Prefix),
  };
};
/** All pages. */
const listAll = async (options: Partial<ListObjectsV2CommandInput>) => {
  const pages: (string | undefined)[][] = [];
  let token: string | undefined;
  do {
    const page = await list({ ...options, ...(token && { ContinuationToken: token }) });
    pages.push([...page.keys, ...page.prefixes]);
    token = page.NextContinuationToken;
    expect(page.IsTruncated).toBe(token !== undefined);
  } while (token);
  return pages;
};

describe('a bucket', () => {
  it('is created once, found and listed', async () => {
    const Bucket = 'made.here-1';
    const error = { name: 'NotFound', status: 404 };
    const head = () => clientOf().send(new HeadBucketCommand({ Bucket }));
    expect(await refusalOf(head())).toEqual(error);
    const create = () =>
      clientOf({ region: 'eu-west-1' }).send(new CreateBucketCommand({ Bucket }));
    await create();
    await head();
    expect(await refusalOf(create())).toEqual({ name: 'BucketAlreadyOwnedByYou', status: 409 });
    const { Buckets = [] } = await clientOf().send(new ListBucketsCommand({}));
    expect(Buckets).toEqual([
      { Name: bucketName(), CreationDate: expect.any(Date) },
      { Name: Bucket, CreationDate: expect.any(Date) },
    ]);
  });

  it.each(['.uploads', 'a', 'Upper', 'a..b', '-ab', '%2e%2e', 'x'.repeat(64)])(
    'rejects the name %s',
    async (name) => {
      const url = `${process.env['AWS_ENDPOINT_URL_S3']}/${encodeURIComponent(name)}`;
      const response = await sendSigned('PUT', url);
      expect([response.status, await codeOf(response)]).toEqual([400, 'InvalidBucketName']);
    },
  );

  it('returns NoSuchBucket for every operation if missing', async () => {
    const url = urlOf('k').replace(bucketName(), 'nowhere');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await sendSigned(method, url, method === 'PUT' ? { body: '' } : {});
      expect([response.status, await codeOf(response)]).toEqual([404, 'NoSuchBucket']);
    }
    expect(await refusalOf(list({ Bucket: 'nowhere' }))).toMatchObject({ name: 'NoSuchBucket' });
  });

  it.each([
    ['GetBucketAcl', () => new GetBucketAclCommand({ Bucket: bucketName() })],
    [
      'PutBucketVersioning',
      () =>
        new PutBucketVersioningCommand({
          Bucket: bucketName(),
          VersioningConfiguration: { Status: 'Enabled' },
        }),
    ],
  ])('returns NotImplemented for %s', async (_, command) => {
    const error = { name: 'NotImplemented', status: 501 };
    // biome-ignore lint/suspicious/noExplicitAny: commands have no type in common
    expect(await refusalOf(clientOf().send(command() as any))).toEqual(error);
  });
});

describe('ListObjectsV2', () => {
  const keys = Array.from({ length: 12 }, (_, index) => `l/${index % 3}/f${index + 10}`);
  beforeAll(async () => {
    await Promise.all(keys.map((key) => put(key, 'x')));
  });

  it('returns the key, size, ETag and time of each object', async () => {
    const { contents } = await list({ Prefix: 'l/0/f10' });
    expect(contents).toEqual([
      {
        Key: 'l/0/f10',
        Size: 1,
        ETag: '"9dd4e461268c8034f5c8564e155c67a6"',
        LastModified: expect.any(Date),
        StorageClass: 'STANDARD',
      },
    ]);
  });

  it('lists keys with the prefix in order, page by page', async () => {
    const sorted = keys.toSorted();
    const pages = await listAll({ Prefix: 'l/', MaxKeys: 5 });
    expect(pages).toEqual([sorted.slice(0, 5), sorted.slice(5, 10), sorted.slice(10)]);
    expect(await list({ Prefix: 'l/', MaxKeys: 12 })).toMatchObject({
      KeyCount: 12,
      IsTruncated: false,
    });
    expect(await list({ Prefix: 'none' })).toMatchObject({ KeyCount: 0, keys: [] });
    expect(await list({ Prefix: 'l/', MaxKeys: 0 })).toMatchObject({
      keys: [],
      IsTruncated: false,
    });
  });

  it('starts after a key', async () => {
    const { keys: rest } = await list({ Prefix: 'l/', StartAfter: 'l/1/f99' });
    expect(rest).toEqual(keys.filter((key) => key.startsWith('l/2')));
  });

  it('groups by a delimiter, each group once over all pages', async () => {
    await put('l/file', 'x');
    const prefixes = ['l/0/', 'l/1/', 'l/2/'];
    const whole = await list({ Prefix: 'l/', Delimiter: '/' });
    expect(whole).toMatchObject({ prefixes, keys: ['l/file'], KeyCount: 4 });
    const pages = await listAll({ Prefix: 'l/', Delimiter: '/', MaxKeys: 1 });
    expect(pages).toEqual([...prefixes, 'l/file'].map((name) => [name]));
    const later = await list({ Prefix: 'l/', Delimiter: '/', StartAfter: 'l/1/f11' });
    expect(later).toMatchObject({ prefixes: ['l/1/', 'l/2/'], keys: ['l/file'] });
  });

  it('sorts by UTF-8 bytes and supports all characters', async () => {
    const strange = ['o/\n', 'o/&<"\'>', 'o/+ %20', 'o/\u{e000}', 'o/\u{1f600}'];
    await Promise.all(strange.map((key) => put(key, 'x')));
    expect((await list({ Prefix: 'o/' })).keys).toEqual(strange);
    const encoded = await list({ Prefix: 'o/', EncodingType: 'url' });
    expect(encoded.keys.map((key) => decodeURIComponent(key ?? ''))).toEqual(strange);
  });
});

describe('DeleteObjects', () => {
  const remove = (keys: string[], Quiet = false) =>
    clientOf().send(
      new DeleteObjectsCommand({
        Bucket: bucketName(),
        Delete: { Objects: keys.map((Key) => ({ Key })), Quiet },
      }),
    );

  it('deletes all keys, including missing ones', async () => {
    await put('d/1 &<é>', 'x');
    await put('d/2', 'x');
    const { Deleted } = await remove(['d/1 &<é>', 'd/2', 'd/none']);
    expect(Deleted).toEqual([{ Key: 'd/1 &<é>' }, { Key: 'd/2' }, { Key: 'd/none' }]);
    expect((await list({ Prefix: 'd/' })).keys).toEqual([]);
    expect((await remove(['d/2'], true)).Deleted).toBeUndefined();
  });

  it('accepts up to 1,000 keys', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `d/${index}`);
    expect((await remove(many)).Deleted).toHaveLength(1_000);
    expect(await refusalOf(remove([...many, 'd/last']))).toEqual({
      name: 'MalformedXML',
      status: 400,
    });
  });

  it.each([
    ['nothing', ''],
    ['no keys', '<Delete></Delete>'],
    ['an empty key', '<Delete><Object><Key></Key></Object></Delete>'],
    ['an element that is not closed', '<Delete><Object><Key>kept</Key></Object>'],
    ['elements that cross', '<Delete><Object><Key>kept</Object></Key></Delete>'],
    ['two roots', '<Delete/><Delete/>'],
    ['text at its end', '<Delete><Object><Key>kept</Key></Object></Delete>x'],
    ['an unknown entity', '<Delete><Object><Key>kept&x;</Key></Object></Delete>'],
    ['a document type', '<!DOCTYPE a><Delete><Object><Key>kept</Key></Object></Delete>'],
  ])('rejects %s', async (_, body) => {
    await put('kept', 'x');
    const url = `${process.env['AWS_ENDPOINT_URL_S3']}/${bucketName()}?delete=`;
    const response = await sendSigned('POST', url, { body });
    expect([response.status, await codeOf(response)]).toEqual([400, 'MalformedXML']);
    expect(await textOf('kept')).toBe('x');
  });
});

describe('pages of other origins', () => {
  const preflight = (origin: string, method: string, headers?: string) =>
    fetch(urlOf('cors'), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        ...(headers && { 'access-control-request-headers': headers }),
      },
    });
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

  it('can upload and read responses if allowed by the bucket', async () => {
    const asked = await preflight(ORIGIN, 'POST', 'Content-Type, x-amz-meta-a');
    expect(asked.status).toBe(200);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT',
      'access-control-allow-headers': 'content-type, x-amz-meta-a',
      'access-control-max-age': '3600',
      vary: expect.stringContaining('Origin'),
    });
    await put('cors', 'x');
    const read = await sendSigned('GET', urlOf('cors'), { unsigned: { origin: ORIGIN } });
    expect(allowed(read)).toBe(ORIGIN);
    expect(read.headers.get('access-control-expose-headers')).toBe('ETag');
  });

  it('can read errors of signed requests', async () => {
    const missing = await sendSigned('GET', urlOf('missing'), { unsigned: { origin: ORIGIN } });
    expect([missing.status, allowed(missing)]).toEqual([404, ORIGIN]);
    const unsigned = await fetch(urlOf('cors'), { headers: { origin: ORIGIN } });
    expect([unsigned.status, allowed(unsigned)]).toEqual([403, null]);
  });

  it('can’t send requests if not allowed, or use other methods', async () => {
    for (const response of [
      await preflight('https://evil.example', 'PUT'),
      await preflight(`${ORIGIN}.evil.example`, 'PUT'),
      await preflight(ORIGIN, 'DELETE'),
    ]) {
      expect([response.status, allowed(response)]).toEqual([403, null]);
      expect(await codeOf(response)).toBe('AccessForbidden');
    }
    const unsigned = { origin: 'https://evil.example' };
    const read = await sendSigned('GET', urlOf('cors'), { unsigned });
    expect([read.status, allowed(read), await codeOf(read)]).toEqual([
      403,
      null,
      'AccessForbidden',
    ]);
  });

  it('match wildcards of an origin or header, by the latest rules', async () => {
    const CORSRules = [
      {
        AllowedOrigins: ['http://localhost:*'],
        AllowedMethods: ['PUT'],
        AllowedHeaders: ['X-Amz-*'],
      },
      { AllowedOrigins: ['*'], AllowedMethods: ['GET'] },
    ];
    await clientOf().send(
      new PutBucketCorsCommand({ Bucket: bucketName(), CORSConfiguration: { CORSRules } }),
    );
    const local = 'http://localhost:3000';
    expect(allowed(await preflight(local, 'PUT', 'x-amz-meta-a'))).toBe(local);
    expect((await preflight(local, 'PUT', 'authorization')).status).toBe(403);
    expect((await preflight('http://localhost', 'PUT')).status).toBe(403);
    expect((await preflight(ORIGIN, 'PUT')).status).toBe(403);
    expect(allowed(await preflight('https://any.example', 'GET'))).toBe('*');
  });
});

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
