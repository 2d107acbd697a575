import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { toArticle } from '../../../functions/web/share-page/article.ts';
import { convert } from '../../../shared/markdown/convert.ts';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';

const limit = { field: 'content', cpuMs: 20_000 };

describe('raw HTML', () => {
  it.each([
    ['allowed elements', '<kbd>a</kbd> H<sub>2</sub>', '<p><kbd>a</kbd> H<sub>2</sub></p>'],
    ['tags of others', '<font color="red">a</font> <x-y>b</x-y>', '<p>a b</p>'],
    ['stripped elements', 'a <svg><g>b</g></svg> <select>c</select> d', '<p>a   d</p>'],
    ['scripts', '<script>\nalert(1)\n\n# a\n</script>\nb', '<p>b</p>'],
    ['styles, classes, events', '<p style="a" class="b" onclick="c" data-d>e</p>', '<p>e</p>'],
    ['a form over Markdown', '<form>\n\n# a\n\n</form>\n\nb', '<p>b</p>'],
    [
      'a stripped element without an end',
      'Use <title> or <script>.\n\na',
      '<p>Use  or .</p>\n<p>a</p>',
    ],
    ['elements of text', '<xmp>a <b>c</b>\n\nd <plaintext> e', '<p>a <b>c</b></p>\n<p>d  e</p>'],
    ['comments', 'a<!-- b -->c\n\n<!-- d\n\ne -->\n\nf', '<p>ac</p>\n<p>f</p>'],
    [
      'the rest of a comment',
      '<div>\n<!-- a\n\nb\n\n- c -->\n- d\n\n</div>',
      '<div>\n<ul><li></li>\n<li>d</li>\n</ul>\n</div>',
    ],
    [
      'a comment with an end in HTML',
      '<div>\n<!-- a\n\nb\n\n<p>c --> d</p>\n</div>',
      '<div>\n d\n</div>',
    ],
    [
      'a comment without an end in a quote',
      '> <div>\n> <!-- a\n\nb -->',
      '<blockquote>\n<div>\n\n</div></blockquote>\n<p>b --&gt;</p>',
    ],
    [
      'the mark of our elements',
      '<p own="0">a</p>\n\n[b](https://c.example)',
      '<p>a</p>\n<p><a href="https://c.example">b</a></p>',
    ],
    ['instructions and CDATA', 'a <?b ?> <!C d> <![CDATA[ <b> > e ]]> f', '<p>a    f</p>'],
    [
      'ids and names',
      '<a id="main" name="x">a</a>',
      '<p><a id="user-content-main" name="user-content-x">a</a></p>',
    ],
    [
      'schemes',
      '<a href="tel:1">a</a> <a href=" JAVA&Tab;script:b">b</a> <a href="data:c">c</a>',
      '<p><a href="tel:1">a</a> b c</p>',
    ],
    [
      'scripts’ addresses in capitals',
      '<a href="HTTPS://a.example">a</a>',
      '<p><a href="https://a.example">a</a></p>',
    ],
    [
      'addresses of images',
      '<img src="http://a.example/b"> <img src="data:c" alt="d">',
      '<p><span class="unshown-image">b (not shown: images need an https address)</span> <span class="unshown-image">d (not shown: images need an https address)</span></p>',
    ],
    [
      'sets of images',
      '<img srcset="https://a.example/b 1x, data:c 2x"> <img srcset="https://a.example/b 1x">',
      '<p><span class="unshown-image">Image (not shown: images need an https address)</span> <img srcset="https://a.example/b 1x" /></p>',
    ],
    [
      'values',
      '<img src="https://a.example" width="9" height="99999" align="center"> <p align="top" dir="ltr" lang="de-CH">',
      '<p><img src="https://a.example" width="9" align="center" /> </p><p dir="ltr" lang="de-CH"></p>',
    ],
    [
      'quotes in values',
      "<abbr title='\"><b>&lt;'>a</abbr>",
      '<p><abbr title="&quot;&gt;&lt;b&gt;&lt;">a</abbr></p>',
    ],
    [
      'pictures',
      '<picture><source media="(prefers-color-scheme: dark)" srcset="https://a.example/b"><source media="print"></picture>',
      '<p><picture><source media="(prefers-color-scheme: dark)" srcset="https://a.example/b" /></picture></p>',
    ],
    [
      'open details',
      '<details open="yes"><summary>a</summary>\n\n- b\n\n</details>',
      '<details open=""><summary>a</summary>\n<ul>\n<li>b</li>\n</ul>\n</details>',
    ],
    [
      'Markdown within',
      '<div align="center">\n\n# a\n\n</div>',
      '<div align="center">\n<h1>a</h1>\n</div>',
    ],
    [
      'a description of an image',
      '![a <b title="\'">b</b>](https://a.example)',
      '<p><img src="https://a.example" alt="a b" /></p>',
    ],
  ])('is kept by the list: %s', async (_, markdown, html) => {
    expect((await toHtml(markdown)).trim()).toBe(html);
  });

  it.each([
    ['ends in a quote', '> <table><tr><td> <b>\n\na', '<p>a</p>'],
    ['ends in a heading', '# <table><tr><td>\n\na', '<p>a</p>'],
    ['ends in a cell', '| a |\n|---|\n| <table><tr><td> |\n| c |', '<td>c</td>'],
    ['can’t end a quote', '> a\n> </blockquote>\n>\n> b', '<p>b</p>\n</blockquote>'],
    ['can’t add an item', '- a <li>b</li>\n- c', '<li>a b</li>'],
    ['can’t add a cell', '| a |\n|---|\n| b <td> c |', '<td>b  c</td>'],
    ['can’t end a cell', '| a |\n|---|\n| b </td></table> c |', '<td>b  c</td>'],
    ['can’t have our marks', '<p own="0">a</p>\n\n![b](https://c.example)', '<p>a</p>'],
    ['keeps our code', '<b>a</b>\n\n```js\nlet a;\r\n```', '<code class="language-js">let a;\r\n'],
    [
      'keeps our tasks',
      '<b>a</b>\n\n- [x] b',
      '<li><input type="checkbox" disabled="" checked="" /> b</li>',
    ],
  ])('%s', async (_, markdown, part) => {
    expect(await toHtml(markdown)).toContain(part);
  });

  it('leaves footnotes whole, whatever is open', async () => {
    const html = await toHtml(
      '<table><tr><td>\n\na[^1] b[^2]\n\n[^1]: c </li></ol></section> <li> <table>\n\n[^2]: d',
    );
    expect(html).toMatch(/<\/table><section data-footnotes="" class="footnotes">/);
    expect(html.match(/<li id="user-content-fn-\d">/g)).toHaveLength(2);
    expect(html.match(/<li/g)).toHaveLength(2);
  });

  describe('leaves alerts, math, tasks, tables and highlighted code as they are without it', () => {
    const ours =
      '> [!TIP]\n> a $x$\n\n```js\nlet a;\n```\n\n$$\ny\n$$\n\n- [x] b&#13;c\n\n***\n\n| d |\n|--:|\n| e |';

    it.each([
      ['within', '<details>', '</details>'],
      ['between', '<p>before</p>', '<p>after</p>'],
    ])('%s raw HTML', async (_, before, after) => {
      const { page } = await render(ours, limit);
      const { page: whole } = await render(`${before}\n\n${ours}\n\n${after}`, limit);
      expect(whole).toBe(`${before}\n${page}\n${after}`);
    });

    it('where an author’s formatting goes on, within it', async () => {
      const html = await toHtml('a <b>b\n\n- c\n\nd</b> e\n\nf *g*');
      expect(html).toBe(
        '<p>a <b>b</b></p><b>\n<ul>\n<li>c</li>\n</ul>\n</b><p><b>d</b> e</p>\n<p>f <em>g</em></p>',
      );
    });
  });

  it('tells in which construct each outermost element begins', async () => {
    const { constructs } = (await convert(
      '# a\n\nb\n\n***\n\n<p>c</p><p>d</p>\n\n- e\n\nf <kbd>g</kbd> h\n\n| i |\n|---|\n\nj',
      10_000,
    )) ?? { constructs: [] };
    expect(constructs).toEqual([0, 1, 2, 3, 3, 4, 5, 6, 7]);
  });
});

const unclosed: Readonly<Record<string, string>> = {
  'open elements': '<div><details><b><a href="https://a.example"><ul><li>',
  'an open table': '<table><tr><td>',
  'a table alone': '<table>',
  'ends of the page': '</main></article></div></body></html>',
  'starts of a page': '<html><head><body><main><frameset>',
  plaintext: '<plaintext>',
  'texts without an end': 'a <textarea> <title> <xmp> <noembed> <iframe> <script> <style>',
  'a comment without an end in a block': '<div>\n<!-- a',
  CDATA: 'a <![CDATA[ b ]]>',
  'an instruction': 'a <?php b ?>',
  'a tag without an end': '<div title="a',
  'null characters': '<di\0v> <b\0> \0',
  'foreign elements': '<svg><desc><math><mtext><table><mglyph><style>',
  'a template': '<template><select><form>',
  'nested tags': '<div>'.repeat(10_000),
  'nested tags in a line': `a ${'<b>'.repeat(10_000)}`,
  'different open tags': Array.from({ length: 3_000 }, (_, at) => `<b id="${at}">`).join(''),
  'a megabyte in an attribute': `<div title="${'a'.repeat(400_000)}">`,
};

type Parent = DefaultTreeAdapterTypes.ParentNode;

/** The ids of elements, each with the names of what it is in. */
const findPaths = (node: Parent, path = ''): string[] =>
  node.childNodes.flatMap((child) => {
    if (!defaultTreeAdapter.isElementNode(child)) return [];
    const id = child.attrs.find(({ name }) => name === 'id')?.value;
    const own = `${path}/${child.tagName}`;
    return [...(id ? [`${own}#${id}`] : []), ...findPaths(child, own)];
  });

describe('the page around', () => {
  it.each(['<!-- a', '<![CDATA[ a', '<?php a', '<!A', '<script>', '<textarea>'])(
    'stands with the block %j without an end, which takes in the rest of the text',
    async (block) => {
      const { page } = await render(`# a\n\n${block}\n\n</article>`, limit);
      const paths = findPaths(parse(`<!doctype html><article>${page}</article><p id="z">`));
      expect(paths).toContain('/html/body/p#z');
    },
  );

  it.each(Object.entries(unclosed))('stands with %s', async (_, html) => {
    const { page } = await render(
      `# a\n\nb\n\n${html}\n\n## end\n\nlast[^1]\n\n[^1]: c ${html}`,
      limit,
    );
    const { body } = toArticle(page, 'Title');
    const paths = findPaths(
      parse(
        `<!doctype html><body><main><article id="x">${body}</article><p id="y"></p></main><footer id="z">`,
      ),
    );
    expect(paths).toContain('/html/body/main/article#x');
    expect(paths).toContain('/html/body/main/p#y');
    expect(paths).toContain('/html/body/footer#z');
    expect(page).toContain('last');
    expect(paths.filter((path) => path.endsWith('#Footnotes'))).toEqual([
      '/html/body/main/article/section/h2#Footnotes',
    ]);
  });

  it('holds what a formatting element would repeat in each paragraph to the size of a result', async () => {
    const html = `<p><b title="${'a'.repeat(100_000)}">${'<p>a'.repeat(1_000)}`;
    expect(await convert(html, 4_000_000)).toBeUndefined();
  });
});
