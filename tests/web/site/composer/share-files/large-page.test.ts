import { createHash } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import { uploadContent } from '../../../../../functions/web/site/composer/browser/parts/share-files/large-page.ts';

const content = '<p>Large</p>';
const sha256 = createHash('sha256').update(content).digest('hex');
const page = (path: string) => ({ path, sha256, size: content.length });

const call = vi.fn();
const client = { call } as unknown as Client;
const fetchMock = vi.fn(async () => new Response(null, { status: 204 }));

beforeEach(() => {
  call.mockReset();
  fetchMock.mockClear();
  vi.stubGlobal('fetch', fetchMock);
  return () => vi.unstubAllGlobals();
});

const respond = (id: string, path?: string) =>
  call.mockResolvedValueOnce({
    id,
    forms: path === undefined ? [] : [{ path, url: 'https://s3.test/', fields: { key: 'a' } }],
    known: [],
  });

const asked = () => call.mock.calls.map(([, { body }]) => body);

it('uploads a page, and uses the upload again while it is there', async () => {
  const body = { content, language: 'html', title: 'A' };
  const stored = (upload: string) => ({
    title: 'A',
    upload,
    files: [{ path: 'index.html', sha256 }],
    main: 'index.html',
  });
  respond('one', 'index.html');
  const parts: number[] = [];
  expect(await uploadContent(client, body, undefined, (part) => parts.push(part))).toEqual(
    stored('one'),
  );
  expect([fetchMock.mock.calls.length, parts]).toEqual([1, [1]]);
  // The share was refused, and is sent again.
  respond('one');
  expect(await uploadContent(client, body, undefined, () => {})).toEqual(stored('one'));
  call.mockRejectedValueOnce(new ApiError(404, 'Not found.', { code: 'NOT_FOUND' }));
  respond('two', 'index.html');
  expect(await uploadContent(client, body, undefined, () => {})).toEqual(stored('two'));
  const files = [page('index.html')];
  expect(asked()).toEqual([
    { files },
    { files, upload: 'one' },
    { files, upload: 'one' },
    { files },
  ]);
  expect(fetchMock).toHaveBeenCalledTimes(2);
});

it('adds the page to the other files of a share', async () => {
  const other = { path: 'a.png', sha256: 'b'.repeat(64) };
  const former = { path: 'mill.html', sha256: 'c'.repeat(64) };
  const body = {
    content,
    language: 'html',
    upload: 'u',
    files: [former, other],
    main: 'mill.html',
  };
  respond('u', 'mill.html');
  expect(await uploadContent(client, body, 'id', () => {})).toEqual({
    upload: 'u',
    files: [{ path: 'mill.html', sha256 }, other],
    main: 'mill.html',
  });
  expect(asked()).toEqual([{ files: [page('mill.html')], share: 'id', upload: 'u' }]);
});
