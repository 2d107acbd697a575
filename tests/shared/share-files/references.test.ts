import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMissing, rootAdvice } from '../../../shared/share-files/missing.ts';
import {
  findReferences,
  hasReferences,
  resolveReference,
} from '../../../shared/share-files/references.ts';
import { rewriteRoots } from '../../../shared/share-files/rewrite-roots.ts';

/** Finds references as their kind and address, after it has checked their places. */
const find = (path: string, text: string): string[] =>
  findReferences(path, text).map(({ kind, url, start, end, line }) => {
    const source = text.slice(start, end);
    if (!/[&\\]/.test(source)) expect(source).toBe(url);
    expect(line).toBe(text.slice(0, start).split('\n').length);
    return `${kind} ${url}`;
  });

const html = (text: string) => find('index.html', text);
const css = (text: string) => find('a/style.css', text);
const script = (text: string) => find('app.js', text);
const markdown = (text: string) => find('README.md', text);

describe('findReferences', () => {
  it('finds what elements load and lead to', () => {
    expect(
      html(`<!doctype html>
<link rel="stylesheet preload" href=a.css><link href='i.png' rel="shortcut icon">
<link rel=canonical href="no.html"><link rel="modulepreload" href="m.js">
<script src="a.js"></script><img src = "b.png" alt="x>y"><IMG SRC=c.png/>
<video src=v.mp4 poster="p.jpg"><source src="w.webm"><track src="t.vtt"></video><audio src='a.mp3'></audio>
<a href="page.html#x">x</a><area href="area.html"><iframe src="f.html"></iframe>
<object data="o.pdf"></object><embed src="e.svg"><input type=image src=in.png>
<svg><image href="1.png" /><image xlink:href="2.png"></image><use href="s.svg#id"/><title><a href="in.html"></title></svg>`),
    ).toEqual([
      ...['style a.css', 'image i.png', 'script m.js', 'script a.js', 'image b.png'],
      ...['image c.png/', 'media v.mp4', 'image p.jpg', 'media w.webm', 'media t.vtt'],
      ...['media a.mp3', 'link page.html#x', 'link area.html', 'frame f.html', 'media o.pdf'],
      ...['media e.svg', 'image in.png', 'image 1.png', 'image 2.png', 'image s.svg#id'],
      'link in.html',
    ]);
  });

  it('finds the addresses of srcset', () => {
    expect(html('<img srcset=" a.png 1x, b,c.png 2x,d.png,, e.png 3w (a, b) 4h , f.png">')).toEqual(
      ['a.png', 'b,c.png', 'd.png', 'e.png', 'f.png'].map((url) => `image ${url}`),
    );
    expect(html('<source srcset=",,"><link imagesrcset="a.png">')).toEqual(['image a.png']);
  });

  it('decodes what addresses are written with', () => {
    const text = `<a href=" a&amp;b.html "></a><p style="background:url(&quot;x&#47;y.png&quot;)">`;
    expect(html(text)).toEqual(['link a&b.html', 'resource x/y.png']);
    const [link, image] = findReferences('a.html', text);
    expect(text.slice(link?.start, link?.end)).toBe('a&amp;b.html');
    expect(text.slice(image?.start, image?.end)).toBe('x&#47;y.png');
  });

  it('finds what is in styles and scripts of a page, and nothing in its texts', () => {
    expect(
      html(`<style>@import "a.css"; p { background: url(b.png) }</style>
<script type="module">import x from './m.js'; const y = "<a href='no.html'>" + '/assets/l.png';</script>
<script type="importmap">{"imports": {"a": "/assets/a.js"}}</script>
<!-- <img src="no.png"> --><textarea><img src="no.png"></textarea><title><img src=no.png></title>
<script>import './classic.js'`),
    ).toEqual([
      ...['style a.css', 'resource b.png', 'import ./m.js', 'literal /assets/l.png'],
      ...['literal /assets/a.js', 'import ./classic.js'],
    ]);
  });

  it('reads lines that end in any way, and other scripts', () => {
    const text = '<p>😀\r\n<img src="a.png">\r\n<img\r\nsrc="é.png"><style>\r\n.a{b:url(c.png)}';
    expect(html(text)).toEqual(['image a.png', 'image é.png', 'resource c.png']);
  });

  it('finds the addresses of styles', () => {
    expect(
      css(`@charset "utf-8"; @import 'a.css' layer(x); @import url("b.css"); @import url( c.css );
/* url(no.png) */ a::after { content: "url(no.png)"; background: URL( '1.png' ), url(  2\\ 3.png ) }
@font-face { src: local("No"), url(f.woff2) format("woff2") }
b { background: image-set("4.png" 1x, url(5.png) 2x type("image/png")); --x: src("6.png"); u\\72l(7.png) }`),
    ).toEqual([
      ...['style a.css', 'style b.css', 'style c.css', 'resource 1.png', 'resource 2 3.png'],
      ...['resource f.woff2', 'resource 4.png', 'resource 5.png', 'resource 6.png'],
      'resource 7.png',
    ]);
    expect(css('a { background: url(')).toEqual(['resource ']);
    expect(css('a { background: url(x y) url("z.png')).toEqual(['resource z.png']);
  });

  it('finds the modules of scripts and texts that may be paths', () => {
    expect(
      script(`import a from "./a.js"; export * from '../b.js'; import('./c.js'); import "react";
import(\`./d.js\`); // import './no.js'
const text = "import './no.js'"; new URL("e.png", import.meta.url);
fetch('/data/f.json?x=1'); x = \`/g.png\`; y = '//cdn.example/h.js'; z = a / "/" / 2;`),
    ).toEqual([
      ...['import ./a.js', 'import ../b.js', 'import ./c.js', 'import ./d.js', 'import e.png'],
      ...['literal /data/f.json', 'literal /g.png'],
    ]);
    expect(script('import { from "./a.js"; "/b.js"')).toEqual(['literal /b.js']);
  });

  it('finds what modules of Vite load ahead, unless that is relative', () => {
    const list = (paths: string) =>
      `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[${paths}])))=>i.map(i=>d[i]);`;
    const files = ['assets/a.js', 'assets/b.css'].map((path) => ({ path }));
    const findPaths = (paths: string) =>
      findMissing([{ path: 'c.js', text: list(paths) }, ...files]).map(({ path }) => path);
    expect(findPaths('"assets/a.js","assets/b.css","d.js"')).toEqual([
      '/assets/a.js',
      '/assets/b.css',
    ]);
    expect(findPaths('"./a.js","../b.css"')).toEqual([]);
  });

  it('finds the addresses of Markdown outside code', () => {
    expect(
      markdown(`![a](a.png) [b](<b c.md> "title") [![c](c.png)](d_(e).md)
[f]: g.md
> [h]: <i.md>
\`![no](no.png)\` and \`\`[no](no.md) \` \`\`
\`\`\`html
<img src="no.png">
\`\`\`\`
<img src="j.png" width="10"> [k](l\\_m.md) [no] (no.md)`),
    ).toEqual([
      ...['image a.png', 'link b c.md', 'image c.png', 'image d_(e).md', 'link g.md', 'link i.md'],
      ...['image j.png', 'link l_m.md'],
    ]);
  });

  it('reads no other files', () => {
    expect(['a.html', 'a.svg', 'a.css', 'a.mjs', 'a.md'].every(hasReferences)).toBe(true);
    expect(['a.png', 'a.json', 'a.txt', 'a'].some(hasReferences)).toBe(false);
    expect(findReferences('a.json', '"/b.json"')).toEqual([]);
  });
});

describe('resolveReference', () => {
  it.each([
    ['a/b.html', 'c.png', 'a/c.png'],
    ['a/b.html', './c.png?v=1#x', 'a/c.png'],
    ['a/b.html', '../c%20d.png', 'c d.png'],
    ['a/b/', 'c.png', 'a/b/c.png'],
    ['a/b.html', '..', ''],
    ['a.html', 'e\u0301.png', 'é.png'],
    ['a.html', '%zz.png', '%zz.png'],
    ['a/b.html', '../../c.png', '../c.png'],
    ['a b#c.html', 'd', 'd'],
    ['a.html', ' b.png\n', 'b.png'],
    ['a.html', 'b\\c.png', 'b/c.png'],
  ])('resolves from %j %j to %j', (from, url, path) => {
    expect(resolveReference(from, url)).toEqual({ path, isRoot: false });
  });

  it.each(['/a/b.js', '/a/./b.js?x', '/../a/b.js'])('resolves %j from the root', (url) => {
    expect(resolveReference('x/y.html', url)).toEqual({ path: 'a/b.js', isRoot: true });
  });

  it.each([
    ...['https://example.com/a', '//example.com/a', 'mailto:a@example.com', 'data:,a', 'tel:1'],
    ...['javascript:a', '#a', '?a', '', ' ', 'https://', '\\\\example.com\\a', 'blob:x'],
  ])('resolves %j to nothing', (url) => {
    expect(resolveReference('a.html', url)).toBeUndefined();
  });
});

describe('rewriteRoots', () => {
  const paths = new Set([
    'index.html',
    'docs/index.html',
    'docs/a/b.html',
    'assets/a.css',
    'f.woff',
  ]);
  const rewrite = (path: string, text: string) => rewriteRoots(path, text, paths);

  it('makes addresses of files relative to the file that has them', () => {
    expect(rewrite('index.html', '<link rel=stylesheet href="/assets/a.css?v=1">')).toBe(
      '<link rel=stylesheet href="./assets/a.css?v=1">',
    );
    expect(rewrite('docs/a/b.html', '<a href="/">1</a><a href=/docs/>2</a><a href="/docs">')).toBe(
      '<a href="../../">1</a><a href=../../docs/>2</a><a href="../../docs">',
    );
    expect(rewrite('assets/a.css', '@font-face{src:url(/f.woff)} a{b:url( "/f.woff#x" )}')).toBe(
      '@font-face{src:url(../f.woff)} a{b:url( "../f.woff#x" )}',
    );
    expect(
      rewrite(
        'index.html',
        `<img srcset="/f.woff 1x, /no.png 2x" style="a:url(&quot;/f.woff&quot;)">`,
      ),
    ).toBe(`<img srcset="./f.woff 1x, /no.png 2x" style="a:url(&quot;./f.woff&quot;)">`);
  });

  it('leaves all else as it is', () => {
    for (const text of [
      '<a href="/no.html"><a href="//f.woff"><a href="https://e.com/f.woff"><a href="f.woff">',
      '<script>fetch("/f.woff")</script>',
      '<a href="&#47;f.woff">',
      '<base href="https://example.com/"><a href="/f.woff">',
    ]) {
      expect(rewrite('index.html', text)).toBe(text);
    }
    expect(rewrite('a.js', 'fetch("/f.woff")')).toBe('fetch("/f.woff")');
    expect(rewrite('a.md', '![](/f.woff)')).toBe('![](/f.woff)');
  });

  it('changes whatever it reads once, and nothing but addresses', () => {
    const parts = [
      ...[
        '<a href=',
        '<img srcset="',
        '<style>',
        '</style>',
        '<script>',
        '</script>',
        '<base href=',
      ],
      ...[
        '"',
        "'",
        '/f.woff',
        '/docs/',
        '&#47;f.woff',
        ' 2x, ',
        'url(',
        ')',
        '@import ',
        '>',
        '<!--',
      ],
      ...['-->', '\\', '\r\n', '😀', '&quot;', '=', '<svg>', '</svg>', '{', '}', '/'],
    ];
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, fc.constantFrom('docs/a/b.html', 'assets/a.css'), (text, path) => {
        const rewritten = rewrite(path, text);
        expect(rewrite(path, rewritten)).toBe(rewritten);
        // A base for a folder of a host is replaced as a whole.
        if (text.includes('<base')) return;
        expect(rewritten.replaceAll(/(?:\.\.\/)+/g, '/')).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('makes a base from the root relative', () => {
    expect(rewrite('docs/a/b.html', '<base href="/"><a href="/f.woff">')).toBe(
      '<base href="../../"><a href="./f.woff">',
    );
    expect(rewrite('index.html', '<base href="/docs/"><a href="/f.woff">')).toBe(
      '<base href="./docs/"><a href="../f.woff">',
    );
    expect(rewrite('index.html', '<base href="/my-app/"><a href="a.js">')).toBe(
      '<base href="./"><a href="a.js">',
    );
  });
});

describe('findMissing', () => {
  it('names the file, who refers to it and where, once each', () => {
    expect(
      findMissing([
        { path: 'index.html', text: '<img src="a.png">\n<img src="b.png"><img src="./b.png">' },
        { path: 'css/a.css', text: 'a{b:url(../a.png) url(c.png) url(../../d.png)}' },
        { path: 'a.js', text: "\nimport './e.js'; import './a.js'" },
        { path: 'a.png' },
        { path: 'notes.md', text: '[x](y.md)' },
      ]),
    ).toEqual([
      { path: 'b.png', from: 'index.html', line: 2 },
      { path: 'css/c.png', from: 'css/a.css', line: 1 },
      { path: '../d.png', from: 'css/a.css', line: 1 },
      { path: 'e.js', from: 'a.js', line: 2 },
      { path: 'y.md', from: 'notes.md', line: 1 },
    ]);
  });

  it('advises to build with relative paths', () => {
    expect(
      findMissing([
        {
          path: 'index.html',
          text: '<link rel=icon href="/app/i.png"><img src="/i.png"><a href="/no">',
        },
        { path: 'assets/a.js', text: 'const a="/i.png",b="/no.png"' },
        { path: 'i.png' },
      ]),
    ).toEqual([
      { path: '/app/i.png', from: 'index.html', line: 1, advice: rootAdvice },
      { path: '/no', from: 'index.html', line: 1 },
      { path: '/i.png', from: 'assets/a.js', line: 1, advice: rootAdvice },
    ]);
  });

  it('knows folders and bases', () => {
    expect(
      findMissing([
        {
          path: 'index.html',
          text: '<a href="docs">1</a><a href="docs/">2</a><a href="img/">3</a>',
        },
        {
          path: 'docs/index.html',
          text: '<base href="../img/"><img src="a.png"><img src="b.png">',
        },
        { path: 'x.html', text: '<base href="https://example.com/"><img src="a.png">' },
        { path: 'img/a.png' },
      ]),
    ).toEqual([
      { path: 'img/', from: 'index.html', line: 1 },
      { path: 'img/b.png', from: 'docs/index.html', line: 1 },
    ]);
  });

  it('lists 100 at most', () => {
    const text = Array.from({ length: 150 }, (_, at) => `<img src=${at}.png>`).join('');
    expect(findMissing([{ path: 'index.html', text }])).toHaveLength(100);
  });
});
