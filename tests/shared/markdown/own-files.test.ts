import { describe, expect, it } from 'vitest';
import { placeOwnFiles } from '../../../shared/markdown/links-and-images/place-own-files.ts';
import { render } from '../../../shared/markdown/markdown.ts';

const files = {
  main: 'docs/report.md',
  paths: ['docs/report.md', 'docs/img/a b.png', 'docs/2x.png', 'data.csv', 'site/index.html'],
};

/** Renders a page of a share with files. */
const page = async (markdown: string): Promise<string> => {
  const limit = { field: 'content', cpuMs: 10_000 };
  const rendered = await render(markdown, limit, files);
  return placeOwnFiles(rendered.page, 'https://files.example/token/').trim();
};

const at = (path: string): string => `https://files.example/token/${path}`;

describe('paths on the page of a share with files', () => {
  it.each([
    ['[a](../data.csv)', `<a href="${at('data.csv')}">a</a>`],
    ['[a](/data.csv?b&c#d)', `<a href="${at('data.csv?b&amp;c#d')}">a</a>`],
    ['[a](../site/)', `<a href="${at('site/index.html')}">a</a>`],
    ['![a](<img/a b.png>)', `<img src="${at('docs/img/a%20b.png')}" alt="a" />`],
    ['![a](./img/a%20b.png "b")', `<img src="${at('docs/img/a%20b.png')}" alt="a" title="b" />`],
    [
      'See <img alt="a" src="2x.png" srcset="2x.png, img/a%20b.png 2x">',
      `See <img alt="a" src="${at('docs/2x.png')}" srcset="${at('docs/2x.png')}, ${at('docs/img/a%20b.png')} 2x" />`,
    ],
    ['[a](#b)', '<a href="#b">a</a>'],
    ['[a](/s/welcome)', '<a href="/s/welcome">a</a>'],
    ['[a](https://example.com)', '<a href="https://example.com">a</a>'],
  ])('lead to its files: %s', async (markdown, html) => {
    expect(await page(markdown)).toBe(`<p>${html}</p>`);
  });

  it.each([
    ['[a](missing.csv)', 'a'],
    ['[a](../../data.csv)', 'a'],
    ['[a](share-file:data.csv)', 'a'],
    ['[a](SHARE-FILE:data.csv)', 'a'],
    ['[a](javascript:data.csv)', 'a'],
    ['`share-file:data.csv`', '<code>share-file:data.csv</code>'],
  ])('lead nowhere else: %s', async (markdown, html) => {
    expect(await page(markdown)).toBe(`<p>${html}</p>`);
  });

  it('says which images are missing', async () => {
    expect(await page('![a](missing.png)')).toContain('class="unshown-image">a (not shown');
  });
});
