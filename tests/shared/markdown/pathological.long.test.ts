import { describe, expect, it } from 'vitest';
import { checkLinksAndImages } from '../../../shared/markdown/links-and-images/check.ts';
import { limits, render, toHtml } from '../../../shared/markdown/markdown.ts';
import { pathological } from '../../support/markdown/pathological.ts';
import { call } from '../../support/service/call.ts';

const convert = (markdown: string) => call('POST /api/markdown', { body: { markdown } });

const answerTo = async (markdown: string): Promise<number> =>
  toHtml(markdown).then(
    () => 200,
    ({ status }) => status,
  );

const trap = (name: string, bytes: number): string => pathological[name]?.(bytes) ?? '';

describe('a pathological document', () => {
  it.each(Object.entries(pathological))(
    'of %s gets a response, and so does the next',
    async (_, make) => {
      expect([200, 413, 422]).toContain(await answerTo(make(8 * 1024)));
      expect(await answerTo('# Hi')).toBe(200);
    },
  );

  it.each(Object.entries(pathological))(
    'of %s gets a page of at most 4 MB, or none',
    async (_, make) => {
      const page = await render(make(16 * 1024), { field: 'content', cpuMs: 3_000 }).then(
        (rendered) => rendered.page,
        ({ status }) => status,
      );
      if (typeof page === 'string')
        expect(Buffer.byteLength(page)).toBeLessThanOrEqual(limits.resultBytes);
      else expect([413, 422]).toContain(page);
      expect(await answerTo('# Hi')).toBe(200);
    },
  );

  // What takes long stays as text.
  it.each([
    'much math',
    'nested math',
    'nested fractions',
    'nested roots in many places',
    'macros that double',
    'macros that call themselves',
    'wide matrices',
  ])('of %s, 64 KB, is shared', async (name) => {
    const { page } = await render(trap(name, 64 * 1024), { field: 'content', cpuMs: 3_000 });
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(limits.resultBytes);
  });

  it.each(['nested bullets, newlines', 'quoted nested bullets', 'nested images'])(
    'of %s is aborted',
    async (name) => {
      expect(await answerTo(trap(name, 64 * 1024))).toBe(422);
    },
  );

  // As published, micromark takes more than 3 s of CPU for each.
  it.each([
    ['setext headings', 16_000],
    ['quotes and paragraphs', 32_000],
  ])('of %s, %i bytes, is none: ordinary documents have them', async (name, bytes) => {
    expect(await answerTo(trap(name, bytes))).toBe(200);
  });

  it('delays no other request', async () => {
    const [refused, ...others] = await Promise.all([
      convert(trap('nested bullets, newlines', 64 * 1024)),
      convert('# Hi'),
      call('GET /api/docs'),
    ]);
    expect(refused.status).toBe(422);
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('a long document', () => {
  it.each(['', 'a '])('of 512 KB of open comments takes linear time: %j', async (start) => {
    const markdown = start + '<!--'.repeat(128 * 1024 - 1);
    const { html } = await render(markdown, { field: 'content', cpuMs: 20_000 });
    expect(html.length).toBeLessThan(1024 * 1024);
  });

  it.each([
    ['open links', '<a href="">'],
    ['open pictures', `<picture>${'\n'.repeat(99)}`],
    ['separators', `<img srcset="${', '.repeat(400)}">`],
    ['a long attribute', `<img alt="${' '.repeat(800)}">`],
  ])('has its links and images checked within seconds: 8 MB of %s', (_, html) => {
    const repeated = html.repeat((8 * 1024 * 1024) / html.length);
    expect(checkLinksAndImages(repeated, 'page').length).toBeLessThan(20 * repeated.length);
  });
});
