import { describe, expect, it } from 'vitest';
import { open, usePages } from '../../../support/pages/served-pages.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sendFiles } from '../../../support/shares/files.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();
const { service, snippets } = usePages();

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000308060000', 'hex');
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');

const shareFile = async (
  name: string,
  bytes: Buffer,
  options: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { token } = await newPerson();
  const { status, body } = await sendFiles(token, { [name]: bytes }, options);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};

const filePolicy =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

describe('a share that is a picture', () => {
  it.each([
    ['mill & co.png', png, 'image/png'],
    ['drawing.svg', svg, 'image/svg+xml; charset=utf-8'],
  ])('%s is on its page, and its bytes are the source', async (name, bytes, type) => {
    const id = await shareFile(name, bytes);
    const { text, headers } = await service(`/s/${id}`);
    const src = `https://snippets.test/${id}/${encodeURIComponent(name)}`;
    expect(text).toContain(`<img src="${src}" alt="${name.replace('&', '&amp;')}">`);
    expect(text).not.toContain('data-copies-source');
    expect(headers['content-security-policy']).toContain('img-src https: data:;');
    expect(headers['content-security-policy']).toContain("frame-src 'none'");
    const raw = await service(`/s/${id}/raw`);
    expect([raw.status, raw.bytes, raw.headers['content-type']]).toEqual([200, bytes, type]);
    expect(raw.headers).toMatchObject({
      'content-security-policy': filePolicy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=0, must-revalidate',
    });
    expect(raw.headers).not.toHaveProperty('content-disposition');
    const again = await service(`/s/${id}/raw`, { 'if-none-match': raw.headers.etag ?? '' });
    expect(again.status).toBe(304);
    const saved = await service(`/s/${id}/raw?download`);
    expect(saved.headers['content-disposition']).toMatch(/^attachment; filename="?[md]/);
    expect(await service(`/s/${id}/raw?file=other.png`)).toMatchObject({ status: 404 });
    const image = await snippets(new URL(src).pathname, { 'sec-fetch-dest': 'image' });
    expect([image.status, image.bytes]).toEqual([200, bytes]);
  });

  it('of few readers is read by the token of its page, and by that alone', async () => {
    const id = await shareFile('mill.png', png, { viewLimit: '1', title: 'A mill' });
    const other = await shareFile('other.png', png, { viewLimit: '1' });
    expect((await service(`/s/${id}/raw`)).status).toBe(401);
    const { text } = await service(await open(id));
    expect(text).toContain('alt="A mill"');
    const [, raw = ''] = /href="(\/s\/[^"]*\/raw[^"]*)"/.exec(text) ?? [];
    const address = raw.replaceAll('&amp;', '&');
    expect((await service(address)).bytes).toEqual(png);
    expect((await service(address.replace(id, other))).status).toBe(401);
    const [, src = ''] = /<img src="https:\/\/snippets\.test([^"]*)"/.exec(text) ?? [];
    expect((await snippets(src)).bytes).toEqual(png);
    expect((await service(`/s/${id}/raw`)).status).toBe(410);
  });

  it('is embedded where its owner allows it', async () => {
    const id = await shareFile('mill.png', png, { embedOrigins: 'https://example.com' });
    const { text } = await service(`/s/${id}/embed`);
    expect(text).toContain(`<img src="https://snippets.test/${id}/mill.png"`);
  });

  it('says to callers of the API what it is', async () => {
    const id = await shareFile('a (1).png', png);
    const { body } = await call('GET /api/share', { query: { id } });
    expect(body).toMatchObject({
      title: 'a (1).png',
      content: '![a (1).png](a%20%281%29.png)',
      files: [{ path: 'a (1).png', type: 'image/png', size: png.length }],
    });
  });
});

describe('a share that is a PDF', () => {
  it('has a card with its size, and is always saved', async () => {
    const id = await shareFile('paper.pdf', pdf);
    const { text } = await service(`/s/${id}`);
    expect(text).toContain(
      `<b class="cut" dir="auto">paper.pdf</b><span>PDF · 15 bytes</span></p><a class="btn primary" href="/s/${id}/raw?file=paper.pdf&amp;download">Download</a>`,
    );
    expect(text).not.toContain('>Raw<');
    const raw = await service(`/s/${id}/raw`);
    expect([raw.bytes, raw.headers['content-type']]).toEqual([pdf, 'application/pdf']);
    expect(raw.headers['content-disposition']).toBe('attachment; filename=paper.pdf');
  });
});
