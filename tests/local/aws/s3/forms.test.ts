import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readUploadForm } from '../../../../infra/local/aws/s3/form-data.ts';
import {
  bucketName,
  clientOf,
  codeOf,
  credentials,
  textOf,
  useBucket,
} from '../../../support/s3/local-s3.ts';

useBucket();
afterEach(() => {
  vi.useRealTimers();
});

const presign = (Key: string, options: Partial<PresignedPostOptions> = {}) =>
  createPresignedPost(clientOf(), { Bucket: bucketName(), Key, Expires: 60, ...options });

type Form = Awaited<ReturnType<typeof presign>>;

const upload = async (
  { url, fields }: Form,
  file: string | Buffer<ArrayBuffer> | undefined = 'x',
  changes: Record<string, string> = {},
) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...changes })) form.append(name, value);
  form.append('file', new Blob([file]), 'photo ü.png');
  return fetch(url, { method: 'POST', body: form });
};
/** The status of an upload, or its status and code if it was rejected. */
const outcome = async (response: Promise<Response>) => {
  const { ok, status } = await response;
  return ok ? status : [status, await codeOf(await response)];
};

const denied = [403, 'AccessDenied'];

describe('an upload by a form', () => {
  it('stores the file with the content type and metadata of the fields', async () => {
    const form = await presign('post/ü.png', {
      Fields: {
        'Content-Type': 'image/png',
        'Content-Disposition': 'attachment; filename="ü.png"',
        'x-amz-meta-owner': '42',
      },
      Conditions: [
        ['content-length-range', 1, 100],
        ['starts-with', '$Content-Disposition', 'attachment'],
        { 'x-amz-meta-owner': '42' },
      ],
    });
    const response = await upload(form, 'A'.repeat(50));
    expect([response.status, await response.text()]).toEqual([204, '']);
    const { Body, ...object } = await clientOf().send(
      new GetObjectCommand({ Bucket: bucketName(), Key: 'post/ü.png' }),
    );
    expect(await Body?.transformToString()).toBe('A'.repeat(50));
    expect(object).toMatchObject({
      ETag: response.headers.get('etag'),
      ContentType: 'image/png',
      ContentDisposition: Buffer.from('attachment; filename="ü.png"').toString('latin1'),
      Metadata: { owner: '42' },
    });
  });

  it('stores any bytes, including the start of a boundary', async () => {
    const bytes = Buffer.from(`\r\n--${'\r\n--x\r\n'.repeat(20_000)}\r\n-`);
    expect(await outcome(upload(await presign('bytes'), bytes))).toBe(204);
    expect(await textOf('bytes')).toBe(bytes.toString());
  });

  it('inserts the file name into the key', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so S3 spells it
    const form = await presign('named/${filename}');
    expect(await outcome(upload(form))).toBe(204);
    expect(await textOf('named/photo ü.png')).toBe('x');
  });

  it('returns the requested status', async () => {
    const status = (success_action_status: string) =>
      presign('status', { Fields: { success_action_status } });
    expect(await outcome(upload(await status('200')))).toBe(200);
    const created = await upload(await status('201'));
    expect(created.status).toBe(201);
    expect(await created.text()).toContain(
      `<Bucket>${bucketName()}</Bucket><Key>status</Key><ETag>&quot;9dd4e461268c8034f5c8564e155c67a6&quot;</ETag>`,
    );
  });
});

describe('the policy of a form', () => {
  it('limits the minimum and maximum size', async () => {
    const form = () => presign('sized', { Conditions: [['content-length-range', 2, 100]] });
    expect(await outcome(upload(await form(), 'A'.repeat(101)))).toEqual([400, 'EntityTooLarge']);
    expect(await outcome(upload(await form(), 'A'.repeat(5_000_000)))).toEqual([
      400,
      'EntityTooLarge',
    ]);
    expect(await outcome(upload(await form(), 'A'))).toEqual([400, 'EntityTooSmall']);
    expect(await textOf('sized')).toBeUndefined();
    expect(await outcome(upload(await form(), 'A'.repeat(100)))).toBe(204);
    expect(await outcome(upload(await form(), 'AA'))).toBe(204);
  });

  it('fixes the key', async () => {
    expect(await outcome(upload(await presign('mine'), 'x', { key: 'theirs' }))).toEqual(denied);
    expect(await textOf('theirs')).toBeUndefined();
  });

  it('fixes the bucket', async () => {
    const { url, fields } = await createPresignedPost(clientOf(), { Bucket: 'other', Key: 'k' });
    const here = url.replace('/other', `/${bucketName()}`);
    expect(await outcome(upload({ url: here, fields }))).toEqual(denied);
    expect(await outcome(upload({ url, fields }))).toEqual([404, 'NoSuchBucket']);
    expect(await textOf('k')).toBeUndefined();
  });

  it('fixes the content type or its prefix', async () => {
    const exact = await presign('typed', { Fields: { 'Content-Type': 'image/png' } });
    expect(await outcome(upload(exact, 'x', { 'Content-Type': 'text/html' }))).toEqual(denied);
    const image = await presign('typed', {
      Conditions: [['starts-with', '$Content-Type', 'image/']],
    });
    expect(await outcome(upload(image, 'x', { 'Content-Type': 'text/html' }))).toEqual(denied);
    expect(await textOf('typed')).toBeUndefined();
    expect(await outcome(upload(image, 'x', { 'Content-Type': 'image/png' }))).toBe(204);
  });

  it('covers every field except ignored ones', async () => {
    const form = await presign('covered');
    const extra = { 'Content-Type': 'text/html' };
    expect(await outcome(upload(form, 'x', extra))).toEqual(denied);
    const meta = { 'x-amz-meta-a': '1' };
    expect(await outcome(upload(form, 'x', meta))).toEqual(denied);
    expect(await textOf('covered')).toBeUndefined();
    expect(await outcome(upload(form, 'x', { 'x-ignore-me': '1' }))).toBe(204);
  });

  it('expires', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    const form = await presign('timed', { Expires: 60 });
    vi.setSystemTime(now + 61_000);
    expect(await outcome(upload(form))).toEqual(denied);
    expect(await textOf('timed')).toBeUndefined();
    vi.setSystemTime(now + 59_000);
    expect(await outcome(upload(form))).toBe(204);
  });

  it('must be signed with the correct key', async () => {
    const form = await presign('signed');
    const forged = { 'X-Amz-Signature': '0'.repeat(64) };
    const error = [403, 'SignatureDoesNotMatch'];
    expect(await outcome(upload(form, 'x', forged))).toEqual(error);
    const { Policy = '' } = form.fields;
    const later = Buffer.from(Policy, 'base64')
      .toString()
      .replace(/"20\d\d/, '"2999');
    const changed = { Policy: Buffer.from(later).toString('base64') };
    expect(await outcome(upload(form, 'x', changed))).toEqual(error);
    const { accessKeyId } = await credentials();
    const stranger = clientOf({ credentials: { accessKeyId, secretAccessKey: 'wrong' } });
    const theirs = await createPresignedPost(stranger, { Bucket: bucketName(), Key: 'signed' });
    expect(await outcome(upload(theirs))).toEqual(error);
    expect(await textOf('signed')).toBeUndefined();
  });

  it.each(['Policy', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Algorithm'])(
    'is rejected without the field %s',
    async (name) => {
      const { url, fields } = await presign('partial');
      const { [name]: _, ...rest } = fields;
      expect(await outcome(upload({ url, fields: rest }))).toEqual(denied);
    },
  );

  it.each([
    ['acl', 'public-read'],
    ['success_action_redirect', 'https://evil.example'],
    ['x-amz-tagging', 'a=1'],
  ])('returns NotImplemented for %s', async (name, value) => {
    const form = await presign('asked', { Fields: { [name]: value } });
    expect(await outcome(upload(form))).toEqual([501, 'NotImplemented']);
    expect(await textOf('asked')).toBeUndefined();
  });
});

describe('a form sent in two chunks', () => {
  const form =
    '--b\r\ncontent-disposition: form-data; name="Key"\r\n\r\nk\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n\r\n--a\r\n--b--\r\n';

  it('is parsed correctly for any split', async () => {
    for (let cut = 0; cut <= form.length; cut++) {
      const pieces = [form.slice(0, cut), form.slice(cut)].map((piece) => Buffer.from(piece));
      const body = Readable.from(pieces)[Symbol.asyncIterator]();
      const { fields, fileName, file } = await readUploadForm(
        body,
        'multipart/form-data; boundary=b',
      );
      expect([...fields]).toEqual([['key', 'k']]);
      expect([fileName, await text(file)]).toEqual(['f', '\r\n--a']);
    }
  });
});

describe('an invalid form', () => {
  const post = async (body: string, boundary = 'boundary=b') => {
    const { url } = await presign('broken');
    const headers = { 'content-type': `multipart/form-data; ${boundary}` };
    return outcome(fetch(url, { method: 'POST', headers, body }));
  };
  const field = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  it.each([
    ['has no boundary', [400, 'MalformedPOSTRequest'], 'x', ''],
    ['is empty', [400, 'MalformedPOSTRequest'], ''],
    ['ends early', [400, 'MalformedPOSTRequest'], field('key', 'k').slice(0, 30)],
    ['has a field without a name', [400, 'MalformedPOSTRequest'], '--b\r\na: b\r\n\r\nx\r\n--b--'],
    ['has no file', [400, 'InvalidArgument'], `${field('key', 'k')}--b--\r\n`],
    [
      'has too much before its file',
      [400, 'MaxPostPreDataLengthExceeded'],
      field('x-ignore-a', 'a'.repeat(30_000)),
    ],
    ['has no policy', denied, `${field('key', 'k')}${field('file', 'x')}--b--\r\n`],
  ])('is rejected if it %s', async (_, error, body, boundary?: string) => {
    expect(await post(body, boundary)).toEqual(error);
  });

  it('stores nothing when its file ends early', async () => {
    const { url, fields } = await presign('cut');
    const before = Object.entries(fields).map(([name, value]) => field(name, value));
    const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nbytes';
    const response = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `${before.join('')}${file}`,
    });
    expect(await outcome(response)).toEqual([400, 'MalformedPOSTRequest']);
    expect(await textOf('cut')).toBeUndefined();
  });
});
