import { describe, expect, it } from 'vitest';
import { chooseEncoding } from '../../../shared/http/content/compression.ts';
import {
  type Got,
  long,
  markdown,
  open,
  share,
  usePages,
} from '../../support/pages/served-pages.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();
useJobs();
const { service, snippets } = usePages();

describe('compression', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=1.0, BR;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, gzip ; q=0', undefined],
    ['br;q=0.001', 'br'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['x-br, gzipped', undefined],
  ])('chooses for accepted encodings %s: %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });

  it('applies to page, raw and frame only', async () => {
    const { id } = await share(markdown);
    const html = await share({ content: `<p>${long}</p>` });
    for (const get of [
      (headers = {}) => service(`/s/${id}`, headers),
      (headers = {}) => service(`/s/${id}/raw`, headers),
      (headers = {}) => snippets(`/${html.id}`, headers),
    ]) {
      const plain = await get();
      expect(plain.headers.vary).toMatch(/^accept-encoding/);
      expect(plain.headers['content-encoding']).toBe(undefined);
      for (const encoding of ['br', 'gzip']) {
        const compressed = await get({ 'accept-encoding': encoding });
        expect(compressed.headers).toMatchObject({
          'content-encoding': encoding,
          'content-type': plain.headers['content-type'],
          vary: plain.headers.vary,
        });
        expect(compressed.text).toBe(plain.text);
        expect(compressed.bytes.length).toBeLessThan(plain.bytes.length * 0.7);
      }
    }
  });

  it('skips short responses', async () => {
    const { id } = await share({ content: 'Short', language: 'markdown' });
    const { headers, text } = await service(`/s/${id}/raw`, { 'accept-encoding': 'br' });
    expect([headers['content-encoding'], text]).toEqual([undefined, 'Short']);
  });
});

describe('caching', () => {
  const cached = 'public, max-age=0, must-revalidate';

  it('revalidates the page of an unchanged unlimited share', async () => {
    const ann = await newPerson();
    const { id, token } = await share({ ...markdown, title: 'One' }, ann);
    const get = (headers = {}) => service(`/s/${id}`, { 'accept-encoding': 'br', ...headers });
    const tagOf = ({ headers }: Got) => headers.etag ?? '';
    const first = await get();
    expect(first.headers['cache-control']).toBe(cached);
    expect(tagOf(first)).toMatch(/^"[\w-]{22}-br"$/);

    for (const known of [tagOf(first), `W/${tagOf(first)}`, `"x", ${tagOf(first)}`, '*']) {
      const { status, headers, bytes } = await get({ 'if-none-match': known });
      expect([status, bytes.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({
        etag: tagOf(first),
        'cache-control': cached,
        vary: 'accept-encoding',
        'content-security-policy': first.headers['content-security-policy'],
      });
    }
    expect((await get({ 'if-none-match': '"x", "y-br"' })).status).toBe(200);

    const inGzip = await get({ 'accept-encoding': 'gzip', 'if-none-match': tagOf(first) });
    expect([inGzip.status, tagOf(inGzip)]).toEqual([200, tagOf(first).replace('-br', '-gzip')]);

    const tags = new Set([tagOf(first)]);
    await call('PUT /api/share/{id}', { params: { id }, token, body: { title: 'Two' } });
    tags.add(tagOf(await get({ 'if-none-match': tagOf(first) })));
    await call('PUT /api/users/me', { token, body: { name: 'Another Name' } });
    tags.add(tagOf(await get({ 'if-none-match': tagOf(first) })));
    await call('PUT /api/share/{id}', { params: { id }, token, body: { content: `${long}!` } });
    tags.add(tagOf(await get({ 'if-none-match': tagOf(first) })));
    expect(tags.size).toBe(4);

    await call('DELETE /api/share/{id}', { params: { id }, token });
    const deleted = await get({ 'if-none-match': [...tags].at(-1) ?? '' });
    expect([deleted.status, deleted.headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('revalidates raw text and frame', async () => {
    const { id } = await share({ content: `<p>${long}</p>` });
    for (const get of [
      (headers = {}) => service(`/s/${id}/raw`, headers),
      (headers = {}) => snippets(`/${id}`, headers),
    ]) {
      const { headers } = await get();
      expect(headers['cache-control']).toBe(cached);
      expect((await get({ 'if-none-match': headers.etag ?? '' })).status).toBe(304);
    }
  });

  it('counts views that result in 304, but no HEAD, prefetch or fetch of the page’s script', async () => {
    const { id, token } = await share(markdown);
    const views = async () => {
      await runJobs();
      const query = { id, mine: 'true' };
      return (await call('GET /api/share', { token, query })).body.views;
    };
    const { headers } = await service(`/s/${id}`);
    expect(await views()).toBe(1);
    await service(`/s/${id}`, { 'if-none-match': headers.etag ?? '' });
    expect(await views()).toBe(2);
    const head = await service(`/s/${id}`, {}, 'HEAD');
    expect(head.headers).toMatchObject({ etag: headers.etag, 'cache-control': cached });
    await service(`/s/${id}`, { 'sec-purpose': 'prefetch;prerender' });
    await service(`/s/${id}/raw`, { 'sec-fetch-dest': 'empty' });
    expect(await views()).toBe(2);
  });

  it('is disabled for limited and protected shares and all other responses', async () => {
    const limited = await share({ ...markdown, viewLimit: 9 });
    const locked = await share({ content: `<p>${long}</p>`, password: 'Abc123' });
    const page = await open(limited.id);
    const lockedPage = await open(locked.id, 'Abc123');
    const view = new URL(lockedPage, 'https://a.test').search;
    const responses = [
      await service(`/s/${limited.id}`),
      await service(page),
      await service(page.replace('?', '/raw?')),
      await service(`/s/${locked.id}`),
      await service(lockedPage),
      await service(lockedPage.replace('?', '/raw?')),
      await snippets(`/${locked.id}${view}`),
      await service(`/s/${limited.id}/raw`),
      await service(`/s/${limited.id}/report`),
      await service(`/s/${limited.id}/report?sent=true`),
      await service('/s/nothing'),
      await snippets('/nothing'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([
      ...Array(7).fill(200),
      ...[401, 200, 200, 404, 404],
    ]);
    for (const { headers } of responses) {
      expect(headers['cache-control']).toBe('no-store');
      expect(headers.etag).toBe(undefined);
    }
  });
});

describe('the size of a page', () => {
  const compressed = { 'accept-encoding': 'br' };

  /** Returns what a page and its assets take, compressed, without the font that loads later. */
  const measure = async (path: string): Promise<number> => {
    const page = await service(path, compressed);
    const assets = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, asset = '']) => asset,
    );
    // With the font, three at most.
    expect([1, 2]).toContain(assets.length);
    const files = await Promise.all(assets.map((asset) => service(asset, compressed)));
    expect(files.map(({ status }) => status)).toEqual(assets.map(() => 200));
    return [page, ...files].reduce((sum, { bytes: { length } }) => sum + length, 0);
  };

  it.each([
    ['Markdown', 14, { content: '# A\n\n## B\n\n## C', language: 'markdown' }],
    ['HTML', 15, { content: 'x' }],
    ['a diagram', 15.5, { content: '```mermaid\ngraph TD\nA-->B\n```', language: 'markdown' }],
  ])('of %s adds at most %f KB compressed to the content', async (_, max, body) => {
    const { id } = await share({ ...body, title: 'T'.repeat(200), description: 'D'.repeat(1_000) });
    expect(await measure(`/s/${id}`)).toBeLessThanOrEqual(max * 1_024);
  });

  it('is at most 14 KB compressed before a share is open', async () => {
    const { id } = await share({ content: 'x', password: 'Abc123' });
    for (const path of [`/s/${id}`, `/s/${id}/report`, '/s/nothing']) {
      expect(await measure(path)).toBeLessThanOrEqual(14 * 1_024);
    }
  });
});
