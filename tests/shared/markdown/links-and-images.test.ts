import { describe, expect, it } from 'vitest';
import { checkLinksAndImages } from '../../../shared/markdown/links-and-images/check.ts';
import {
  findUnshownImages,
  withoutUnshownImages,
} from '../../../shared/markdown/links-and-images/unshown-images.ts';
import { render } from '../../../shared/markdown/markdown.ts';

/** Renders Markdown for the API and for a page. */
const both = async (markdown: string): Promise<readonly [string, string]> => {
  const { html, page } = await render(markdown, { field: 'content', cpuMs: 10_000 });
  return [html.trim(), page.trim()];
};

const unshown = (name: string): string =>
  `<span class="unshown-image">${name} (not shown: images need an https address)</span>`;

describe('links of Markdown', () => {
  it.each([
    '[a](https://example.com/?a&b)',
    '[a](HTTP://example.com)',
    '[a](mailto:a@example.com)',
    '[a](tel:+491234)',
    '[a](sms:+491234)',
    '[a](//example.com)',
    '[a](/s/welcome)',
    '[a](#b)',
    '<https://example.com>',
    'a@example.com',
  ])('can be followed, on pages and elsewhere: %s', async (markdown) => {
    for (const html of await both(markdown)) expect(html).toMatch(/^<p><a href="[^"]+">[^<]+<\/a>/);
  });

  it.each([
    ['[a *b*](javascript:alert())', 'a <em>b</em>'],
    ['[a](java&#x73;cript&colon;alert())', 'a'],
    ['[a](data:text/html,b)', 'a'],
    ['[a](vbscript:b)', 'a'],
    ['[a](file:///etc/passwd)', 'a'],
    ['[a](<>)', 'a'],
    ['[a]()', 'a'],
    ['[a][b]\n\n[b]: blob:c "d"', 'a'],
    ['<irc://example.com/a>', 'irc://example.com/a'],
    ['<made-up:a>', 'made-up:a'],
    ['<xmpp:a@example.com>', 'xmpp:a@example.com'],
    ['[a](C:\\b)', 'a'],
  ])('are text where they can’t be followed: %s', async (markdown, text) => {
    expect(await both(markdown)).toEqual([`<p>${text}</p>`, `<p>${text}</p>`]);
  });

  it.each(['docs/a.md', './a.md', '../a', '?a', '/docs/a.md', 'a.md#b'])(
    'are text on a page, which has no files beside it: %s',
    async (path) => {
      expect(await both(`[a](${path})`)).toEqual([`<p><a href="${path}">a</a></p>`, '<p>a</p>']);
    },
  );

  it('go on around what isn’t one', async () => {
    const [html, page] = await both('[a](ftp:b) [c](https://d) [e](ftp:f) [g](https://h)');
    expect(html).toBe('<p>a <a href="https://d">c</a> e <a href="https://h">g</a></p>');
    expect(page).toBe(html);
  });

  it('of footnotes and headings stay on the page', async () => {
    const [, page] = await both('# A\n\n[a](#a) b[^1]\n\n[^1]: c');
    expect(page).toContain('<a href="#a">a</a>');
    expect(page).toContain('href="#user-content-fn-1"');
    expect(page).toContain('href="#user-content-fnref-1"');
  });
});

describe('images of Markdown', () => {
  it('are shown with an https address', async () => {
    const html = '<p><img src="https://example.com/a.png" alt="A &amp; b" title="c" /></p>';
    expect(await both('![A & b](https://example.com/a.png "c")')).toEqual([html, html]);
  });

  it.each([
    ['![Logo](http://example.com/a.png)', 'Logo'],
    ['![](http://example.com/a.png?b/c#d/e)', 'a.png'],
    ['![ ](http://example.com/)', 'Image'],
    ['![A "b"](data:image/png;base64,AA/aa)', 'A &quot;b&quot;'],
    ['![](data:image/svg+xml,b)', 'Image'],
    ['![](javascript:a)', 'Image'],
    ['![]()', 'Image'],
    ['![A \\<b>](ftp://example.com/a.png)', 'A &lt;b&gt;'],
    [`![](http://example.com/${'a'.repeat(81)})`, 'Image'],
  ])('say why they aren’t shown: %s', async (markdown, name) => {
    expect(await both(markdown)).toEqual([`<p>${unshown(name)}</p>`, `<p>${unshown(name)}</p>`]);
  });

  it.each(['docs/logo.png', '/logo.png', '../logo.png', '//example.com/logo.png'])(
    'of a path are said on a page; callers of the API may resolve it: %s',
    async (path) => {
      expect(await both(`![](${path})`)).toEqual([
        `<p><img src="${path}" alt="" /></p>`,
        `<p>${unshown('logo.png')}</p>`,
      ]);
    },
  );

  it('say it within links, headings and tables', async () => {
    const badge = '[![Build](http://a/b.svg)](https://c)';
    const [, page] = await both(`# ${badge} Title\n\n| ${badge} |\n| - |\n| ![](d.png) |`);
    const link = `<a href="https://c">${unshown('Build')}</a>`;
    expect(page).toContain(`<h1 id="-title">${link} Title<a class="anchor"`);
    expect(page).toContain(`<th>${link}</th>`);
    expect(page).toContain(`<td>${unshown('d.png')}</td>`);
  });
});

describe('links and images of raw HTML', () => {
  it.each([
    ['a <a href="javascript:b">c</a>', '<p>a c</p>'],
    ['a <a href="">b</a> <a>c</a>', '<p>a b c</p>'],
    ['a <a href="irc://b">c</a> <a href="TEL:1">d</a>', '<p>a c <a href="tel:1">d</a></p>'],
    ['a <a href="docs/b.md">c</a>', '<p>a c</p>'],
    ['a <img src="http://b/c.png">', `<p>a ${unshown('c.png')}</p>`],
    ['a <img src="data:image/png;base64,b" alt="C">', `<p>a ${unshown('C')}</p>`],
    ['a <img src="b.png" alt="C" srcset="d.png 2x">', `<p>a ${unshown('C')}</p>`],
    ['a <img src="https://b" width="2">', '<p>a <img src="https://b" width="2" /></p>'],
  ])('follow the same rules: %s', async (markdown, html) => {
    expect((await both(markdown))[1]).toBe(html);
  });

  it('are chosen in pictures by colors, sizes and types', async () => {
    const picture = (more: string) =>
      `<picture><source media="(prefers-color-scheme: dark)" srcset="https://a/dark.png" />${more}<img src="https://a/light.png" alt="B" /></picture>`;
    const others =
      '<source media="(max-width: 600px)" type="image/avif" srcset="https://a/b.avif 2x" />';
    const [html, page] = await both(picture(`${others}<source srcset="http://a" />`));
    const checked = `<p>${picture(others)}</p>`;
    expect([html, page]).toEqual([checked, checked]);
  });
});

describe('checkLinksAndImages', () => {
  it.each([
    ['<img alt="a" src="http://b" width="2">', unshown('a')],
    ['<img>', unshown('Image')],
    ['<img srcset="https://a 1x, https://b 2x">', '<img srcset="https://a 1x, https://b 2x">'],
    ['<img src="https://a" srcset="b 2x">', '<img src="https://a">'],
    ['<img src="b" srcset="https://a/b,c 2x">', '<img srcset="https://a/b,c 2x">'],
    ['<img src="https://a" srcset="https://a,http://b">', '<img src="https://a">'],
    ['<a id="a" href="b:c">d</a>', '<a id="a">d</a>'],
    ['<a name="a"></a><a title="b">c</a>', '<a name="a"></a>c'],
    ['<a title="b" href="https://c">d</a>', '<a title="b" href="https://c">d</a>'],
    ['<a href="b:c">d<a href="https://e">f</a>g</a>', 'd<a href="https://e">f</a>g'],
    ['<a href="\n ja\tvascript:a">b</a>', 'b'],
    ['<a href="&#106;avascript:a">b</a>', 'b'],
    ['<abbr title="a">b</abbr><article>', '<abbr title="a">b</abbr><article>'],
  ])('holds for raw HTML: %s', (html, checked) => {
    expect(checkLinksAndImages(html, 'page')).toBe(checked);
  });

  const image = '<img alt="a" src="https://b">';
  const dark = '<source media="(prefers-color-scheme: dark)" srcset="https://c">';
  it.each([
    [`<picture>\n${dark}\n${image}\n</picture>`, `<picture>\n${dark}${image}</picture>`],
    [`<picture>${dark}<source srcset="d">${image}</picture>`, `<picture>${dark}${image}</picture>`],
    [`<picture>${dark}<img alt="a" src="d"></picture>`, unshown('a')],
    [`<picture>${dark}b<img alt="a"></picture>`, `<picture>${dark}b${unshown('a')}</picture>`],
  ])('holds for pictures: %s', (html, checked) => {
    expect(checkLinksAndImages(html, 'page')).toBe(checked);
  });

  it('changes nothing that it has checked', () => {
    const html = '<a href="b:c">d</a><img alt="e"><img src="https://f"><a href="https://g">h</a>';
    const checked = checkLinksAndImages(html, 'page');
    expect(checkLinksAndImages(checked, 'page')).toBe(checked);
  });
});

describe('images that aren’t shown', () => {
  it('are found with the name of the first', () => {
    const html = `<p>${unshown('A &amp; b')}<b>c</b>${unshown('d')}</p>`;
    expect(findUnshownImages(html)).toEqual({ first: 'A &amp; b', count: 2 });
    expect(findUnshownImages('<p>a</p>')).toBeUndefined();
  });

  it('leave out of a heading’s words what they say', () => {
    expect(withoutUnshownImages(`${unshown('A')} <i>b</i>`)).toBe(' <i>b</i>');
  });
});
