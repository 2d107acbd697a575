import { describe, expect, it } from 'vitest';
import { toArticle } from '../../../../functions/web/share-page/article.ts';
import { formatEnd } from '../../../../functions/web/share-page/times/dates.ts';
import { convert } from '../../../../shared/markdown/convert.ts';
import { addExtras } from '../../../../shared/markdown/page/extras.ts';
import { findTitle } from '../../../../shared/markdown/page/title.ts';

/** An article of Markdown. */
const read = async (markdown: string, title?: string) =>
  readHtml((await convert(markdown, 1e7))?.html ?? '', title);

/** An article of what a sanitizer has let pass of its author’s HTML. */
const readHtml = (fragment: string, title?: string) => {
  const rendered = addExtras(fragment, 1e7, {
    highlight: () => undefined,
    renderMath: () => undefined,
    showColors: () => undefined,
  });
  return toArticle(rendered, title ?? findTitle(rendered));
};

/** The targets and labels of a contents list. */
const linksOf = async (markdown: string, title?: string): Promise<string[][]> => {
  const { contents } = await read(markdown, title);
  const links = (contents?.markup ?? '').matchAll(/<a href="#([^"]*)">(.*?)<\/a>/g);
  return Array.from(links, ([, id = '', label = '']) => [id, label]);
};

describe('the contents list of a text', () => {
  it('starts at three headings, with the title', async () => {
    expect(await linksOf('# A\n\n## B\n\nText')).toEqual([]);
    expect(await linksOf('# A\n\n## B\n\n## C')).toEqual([
      ['Main', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ]);
    expect(await linksOf('## B', 'A')).toEqual([]);
    expect(await linksOf('## B\n\n## C', 'A')).toHaveLength(3);
  });

  it('leaves out deeper headings once there are enough', async () => {
    const deep = '# A\n\n## B\n\n### C\n\n## D\n\n#### E';
    expect((await linksOf(deep)).map(([, label]) => label)).toEqual(['A', 'B', 'D']);
    expect((await linksOf('# A\n\n## B\n\n### C\n\n#### D')).map(([, label]) => label)).toEqual([
      'A',
      'B',
      'C',
    ]);
  });

  it('contains the words of a heading only, and no markup of its author', async () => {
    const [, first, second] = await linksOf(
      '# A\n\n## *Fast* `a<b>` & [more](https://a.example)[^1]\n\n## <img src=x onerror=alert(1)>b\n\n[^1]: Note',
    );
    expect(first?.[1]).toBe('Fast a&lt;b&gt; &amp; more');
    expect(second?.[1]).toBe('b');
    expect((await linksOf('## B\n\n## C', '<b>"A"</b>'))[0]).toEqual([
      'Main',
      '&lt;b&gt;&quot;A&quot;&lt;/b&gt;',
    ]);
  });

  it('lists headings of HTML, and leaves out those without a word', () => {
    const { contents } = readHtml(
      '<h1>A</h1>\n<h2 align="center" id="user-content-x">B</h2>\n<h2><img src="https://a.example/b.png" alt="b"></h2>\n<h2>C <img src="https://a.example/b.png" alt="b"></h2>',
    );
    expect(contents?.markup.match(/href="#[^"]*"/g)).toEqual([
      'href="#Main"',
      'href="#b"',
      'href="#c-"',
    ]);
  });

  it('links to the ids of the text, also of headings that are alike', async () => {
    const markdown = '# A\n\n## B\n\n## B\n\n## Ünï "quoted"';
    const { body } = await read(markdown);
    const targets = (await linksOf(markdown)).slice(1);
    expect(targets).toHaveLength(3);
    for (const [id] of targets) expect(body.markup).toContain(` id="${id}"`);
  });
});

describe('the title of a text', () => {
  it('stands above it if the text starts with it', async () => {
    const { heading, body } = await read('# From *the* text\n\nMore');
    expect(heading?.markup).toBe(
      '<h1 id="from-the-text" class="title" dir="auto">From <em>the</em> text</h1>',
    );
    expect(body.markup.trim()).toBe('<p>More</p>');
    expect((await read('# Same\n\nMore', 'Same')).body.markup).not.toContain('<h1');
  });

  it('stays in a text that starts with something else', async () => {
    const { title, heading, body } = await read('Before\n\n# Later');
    expect([title, heading]).toEqual(['Later', undefined]);
    expect(body.markup).toMatch(/<h1 id="later">/);
  });

  it('is moved from HTML with attributes, without them', () => {
    const { title, heading, body } = readHtml('<h1 align="center">From <i>HTML</i></h1>\n<p>a</p>');
    expect(title).toBe('From HTML');
    expect(heading?.markup).toBe(
      '<h1 id="from-html" class="title" dir="auto">From <i>HTML</i></h1>',
    );
    expect(body.markup.trim()).toBe('<p>a</p>');
  });

  it.each([
    ['an image', '<h1>A <img src="https://a.example/b.png" alt="b"></h1>', 'A'],
    ['only an image', '<h1><img src="https://a.example/b.png" alt="A &amp; b" /></h1>', 'A & b'],
    ['another heading', '<h1>A<div><h1>B</h1></div></h1>', 'AB'],
  ])('stays in the text with %s', (_, fragment, title) => {
    const article = readHtml(`${fragment}\n<p>a</p>`);
    expect([article.title, article.heading]).toEqual([title, undefined]);
    expect(article.body.markup.match(/<h1/g)).toHaveLength(fragment.match(/<h1/g)?.length ?? 0);
  });

  it('is that of the share, escaped, if it has one', async () => {
    const { title, heading, body } = await read('# Other', 'A <b>');
    expect(title).toBe('A <b>');
    expect(heading?.markup).toBe('<h1 class="title" dir="auto">A &lt;b&gt;</h1>');
    expect(body.markup).toContain('Other');
  });
});

describe('the reading time', () => {
  it.each([
    ['no words', '', 1],
    ['300 words', 'word '.repeat(300), 1],
    ['660 words', 'word '.repeat(660), 3],
    ['few words in much markup', '[a](https://example.com/b "c d e") '.repeat(440), 2],
    ['880 characters without spaces', '字'.repeat(880), 2],
  ])('of %s', async (_, markdown, minutes) => {
    expect((await read(markdown)).minutes).toBe(minutes);
  });
});

describe('code in a text', () => {
  it('has a heading with its language and a button, and escapes both', async () => {
    const { markup } = (await read('```"><b>\na < b\n```\n\n    indented')).body;
    expect(markup.match(/<figcaption>[^<]*/g)).toEqual([
      '<figcaption>&quot;&gt;&lt;b&gt;',
      '<figcaption>Code',
    ]);
    expect(markup.match(/data-copies-code hidden/g)).toHaveLength(2);
    expect(markup).toContain('a &lt; b\n</code></pre></figure>');
    expect(markup).not.toContain('<b>');
  });
});

describe('the end of a share', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  it.each([
    ['2026-11-25T11:59:00.000Z', 'end', '25 Nov, 11:59 UTC'],
    ['2026-12-29T04:05:00.000Z', 'end', '29 Dec, 04:05 UTC'],
    ['2035-02-03T04:05:06.000Z', 'endInOtherYear', '3 Feb 2035, 04:05 UTC'],
  ])('at %s is shown with its hour, in UTC', (at, style, text) => {
    expect(formatEnd(at, now).markup).toBe(
      `<time datetime="${at}" data-style="${style}">${text}</time>`,
    );
  });
});
