import { afterEach, describe, expect, it, vi } from 'vitest';
import { pagePolicy } from '../../../../functions/web/layout/policy.ts';
import { uploadUrl } from '../../../../functions/web/site/files/upload-url.ts';
import {
  hasSort,
  listFolders,
  parseView,
  toQuery,
  toUrl,
} from '../../../../functions/web/site/files/view.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { newOwner, presign } from '../../../support/files/files.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';

useTable();
useBucket();

afterEach(() => {
  vi.unstubAllEnvs();
});

const connectionsOf = (policy = ''): string[] =>
  (policy.split('; ').find((one) => one.startsWith('connect-src ')) ?? '').split(' ').slice(1);

describe('GET /files', () => {
  it('allows connections to the URL of upload forms only', async () => {
    const owner = await newOwner();
    const { headers } = await call('GET /files', { token: owner.token });
    const policy = headers['content-security-policy'];
    const { body } = await presign(owner, { size: 1 });
    expect(connectionsOf(policy)).toEqual(["'self'", body.data.url]);
    const media = new URL(body.data.url).origin;
    expect(policy?.replace(` ${body.data.url}`, '')).toBe(
      pagePolicy({ media, isCarriedOver: true }),
    );
  });

  it('allows connections to the bucket only on AWS', async () => {
    const { token } = await newOwner();
    vi.stubEnv('AWS_ENDPOINT_URL_S3', undefined);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    const { headers } = await call('GET /files', { token });
    expect(connectionsOf(headers['content-security-policy'])).toEqual([
      "'self'",
      'https://handbill-test-files.s3.eu-central-1.amazonaws.com/',
    ]);
  });

  it.each([
    ['eu-central-1', undefined],
    ['us-east-1', undefined],
    ['us-gov-west-1', undefined],
    ['cn-north-1', undefined],
    ['us-east-1', 'http://127.0.0.1:9000'],
    ['us-east-1', 'http://127.0.0.1:9000/'],
    ['us-east-1', 'https://s3.example.com/below'],
  ])('names the bucket like signed forms, in %s with the endpoint %s', async (region, endpoint) => {
    vi.stubEnv('AWS_REGION', region);
    vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint);
    // The S3 client is created once per module instance.
    vi.resetModules();
    const { signUpload } = await import('../../../../shared/storage/upload-form.ts');
    const terms = { size: 1, contentType: 'text/plain', checksum: undefined, expiresIn: 1 };
    expect(uploadUrl()).toBe((await signUpload('uploads/1', terms)).url);
  });
});

describe('the files view', () => {
  const plain = {
    show: 'folders',
    folder: '',
    search: '',
    sort: 'createdAt',
    open: undefined,
  } as const;
  const parse = (query: string) => parseView(new URLSearchParams(query));

  it.each([
    ['', plain],
    ['?folder=Photos%2F2026&sort=name', { ...plain, folder: 'Photos/2026', sort: 'name' }],
    ['?show=video', { ...plain, show: 'video' }],
    ['?search=a+b', { ...plain, search: 'a b' }],
    ['?show=all&folder=Photos', { ...plain, show: 'all' }],
    ['?show=toString&sort=size&open=x', plain],
    ['?open=42&sort=-name', { ...plain, open: 42, sort: '-name' }],
  ])('is read from the query %j', (query, view) => {
    expect(parse(query)).toEqual(view);
  });

  it.each([
    '/files',
    '/files?folder=Photos%2F2026&sort=name',
    '/files?show=favorites',
    '/files?sort=-name&open=244212480008192',
    '/files?search=100%25+%26+more',
  ])('is written to the URL: %s', (address) => {
    expect(toUrl(parse(address.replace(/^\/files/, '')))).toBe(address);
  });

  it.each([
    ['', 'folder=%2F&sort=createdAt'],
    ['?folder=A%26B&sort=name', 'folder=A%26B&sort=name'],
    ['?folder=Photos&search=trip', 'search=trip&sort=createdAt'],
    ['?search=+', 'folder=%2F&sort=createdAt'],
    ['?show=all&sort=name', 'sort=name'],
    ['?show=favorites&sort=name', 'favorite=true&sort=createdAt'],
    ['?show=image', 'type=image&sort=createdAt'],
  ])('maps %j to one filter and a supported order: %s', async (query, asked) => {
    expect(new URLSearchParams({ ...toQuery(parse(query)) }).toString()).toBe(asked);
    const { token } = await newOwner();
    const { status, body } = await call('GET /api/files', {
      token,
      query: Object.fromEntries(new URLSearchParams(asked)),
    });
    // The API rejects only the folder, which doesn’t exist.
    if (/folder=A/.test(asked)) expect(body.error.details[0].field).toBe('folder');
    else expect(status).toBe(200);
  });

  it('offers sorting if the API supports it', () => {
    expect(hasSort(parse('?show=image'))).toBe(false);
    expect(hasSort(parse('?show=image&search=x'))).toBe(true);
    expect(hasSort(parse('?show=all'))).toBe(true);
  });

  it('lists the parent folders', () => {
    expect(listFolders('')).toEqual([]);
    expect(listFolders('Photos/2026')).toEqual([
      { name: 'Photos', path: 'Photos' },
      { name: '2026', path: 'Photos/2026' },
    ]);
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1,023 bytes'],
    [1_024, '1 KB'],
    [1_048_575, '1 MB'],
    [6 * 1_024 ** 2, '6 MB'],
    [1.5 * 1_024 ** 3, '1.5 GB'],
    [2_000 * 1_024 ** 4, '2,000 TB'],
  ])('formats %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
