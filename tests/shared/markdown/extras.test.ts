import { describe, expect, it } from 'vitest';
import { convert } from '../../../shared/markdown/convert.ts';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';
import { createMathRenderer } from '../../../shared/markdown/math/mathml.ts';
import { addExtras } from '../../../shared/markdown/page/extras.ts';
import { createHighlighter } from '../../../shared/markdown/page/highlight.ts';

const limit = { field: 'content', cpuMs: 3_000 };
const withExtras = async (markdown: string) => (await render(markdown, limit)).page;

const idsOf = (html: string): string[] =>
  Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id ?? '');

/** The page of what a sanitizer has let pass of its author’s HTML. */
const withAnchors = (fragment: string): string =>
  addExtras(fragment, 1e6, {
    highlight: () => undefined,
    renderMath: () => undefined,
    showColors: () => undefined,
  });

const anchorTo = (id: string) =>
  `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;

describe('heading anchors', () => {
  it('link to their heading', async () => {
    expect(await withExtras('## Getting *started*')).toBe(
      `<h2 id="getting-started">Getting <em>started</em>${anchorTo('getting-started')}</h2>`,
    );
  });

  // As GitHub’s filter makes them: other spaces than U+0020 go, and nothing is trimmed beside what goes.
  it.each([
    ['# Hello, World! & \\<co>', 'hello-world--co'],
    ['# `a_b` c-d', 'a_b-c-d'],
    ['# [Link](https://a.example) ![image](b.png)', 'link-'],
    ['# ![image](b.png) Install', '-install'],
    ['# Two&nbsp;words', 'twowords'],
    ['Two\nlines\n===', 'twolines'],
    ['# Ünï 中文 😀', 'ünï-中文-'],
    ['# 🚀 Start', '-start'],
    ['# ⚙️ Settings', '️-settings'],
    ['# :rocket: Start', 'rocket-start'],
    ['# ½ Ⅷ ² Ⓐ', '-ⅷ--ⓐ'],
    ['# A note[^1]\n\n[^1]: b', 'a-note1'],
    ['> # In a quote', 'in-a-quote'],
    ['# __proto__', 'proto'],
    ['# " onclick="alert(1)', '-onclickalert1'],
    ['# Main', 'main'],
    ['# L10', 'l10'],
  ])('of %j have the id %s', async (markdown, id) => {
    expect(idsOf(await withExtras(markdown))[0]).toBe(id);
  });

  it('have unique ids', async () => {
    expect(idsOf(await withExtras('# a\n# a\n# a-1\n# a\n# A'))).toEqual([
      'a',
      'a-1',
      'a-1-1',
      'a-2',
      'a-3',
    ]);
  });

  it('are omitted for headings without a word', async () => {
    expect(await withExtras('#\n\n# !?')).toBe(`<h1></h1>\n<h1 id="-1">!?${anchorTo('-1')}</h1>`);
  });

  it('have other ids than footnotes, whose own heading takes none', async () => {
    const page = await withExtras('# user-content-fn-1\n## Footnote label\n\na[^1]\n\n[^1]: b');
    const ids = idsOf(page);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, 2)).toEqual(['user-content-fn-1-1', 'footnote-label']);
    expect(page).toContain('<h2 id="Footnotes" class="sr-only">Footnotes</h2>');
    expect(page).toContain('<a href="#user-content-fn-1" id=');
    expect(page).toContain(' aria-describedby="Footnotes">');
  });

  it("are targets of the document's links, in capitals, too", async () => {
    const html = await withExtras(
      '[a](#install) [b](#ärger "t") [c](#nowhere) [d](#Install) [e](#%)\n\n# Install\n# Ärger',
    );
    expect(html).toContain('<a href="#install">a</a>');
    expect(html).toContain('<a href="#%C3%A4rger" title="t">b</a>');
    expect(html).toContain('<a href="#nowhere">c</a>');
    expect(html).toContain('<a href="#install">d</a>');
    expect(html).toContain('<a href="#%25">e</a>');
  });

  it('precede what an author named so, which other links lead to', () => {
    const html = withAnchors(
      '<p><a id="user-content-install"></a><a name="x" id="user-content-top"></a><a href="#install">a</a> <a href="#top">b</a> <a href="#Top">c</a></p>\n<h2>Install</h2>',
    );
    expect(html).toContain('<a href="#install">a</a>');
    expect(html).toContain('<a href="#user-content-top">b</a>');
    expect(html).toContain('<a href="#Top">c</a>');
  });

  it('stand at headings in HTML, beside their ids and attributes', () => {
    expect(withAnchors('<h1 align="center" id="user-content-x">A <b>b</b></h1>')).toBe(
      `<h1 id="a-b" align="center"><span id="user-content-x"></span>A <b>b</b>${anchorTo('a-b')}</h1>`,
    );
  });

  it('are no links within links', () => {
    expect(withAnchors('<a href="b"><h1>A</h1>\n<h2>B</h2></a>\n<h3><a href="c">C</a></h3>')).toBe(
      `<a href="b"><h1 id="a">A</h1>\n<h2 id="b">B</h2></a>\n<h3 id="c"><a href="c">C</a>${anchorTo('c')}</h3>`,
    );
  });

  it('are read from the innermost of nested headings', () => {
    expect(withAnchors('<h1>A<div><h2>B</h2></div></h1>')).toBe(
      `<h1>A<div><h2 id="b">B${anchorTo('b')}</h2></div></h1>`,
    );
  });
});

describe('highlighting', () => {
  it('adds classes to code of a known language', async () => {
    expect(await withExtras('```js\nconst a = "<&>"; // \'1\'\n```')).toBe(
      '<pre><code class="hljs language-js" data-language="JavaScript"><span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;&lt;&amp;&gt;&quot;</span>; <span class="hljs-comment">// &#x27;1&#x27;</span>\n</code></pre>',
    );
  });

  it.each([
    ['ts', 'TypeScript'],
    ['TS', 'TypeScript'],
    ['html', 'HTML'],
    ['xml', 'XML'],
    ['svg', 'SVG'],
    ['toml', 'TOML'],
    ['ini', 'INI'],
    ['c#', 'C#'],
    ['sh', 'Bash'],
  ])('names the language %s: %s', async (language, name) => {
    const page = await withExtras(`\`\`\`${language}\na = 1\n\`\`\``);
    expect(page).toContain(`<code class="hljs language-${language}" data-language="${name}">`);
  });

  it.each([
    ['an unknown language', '```nothing\nlet a = "<b>";\n```'],
    ['no language', '```\nlet a;\n```'],
    ['indented code', '    let a;'],
    ['inline code', '`let a`'],
    [
      'a name of an object of JavaScript',
      '```constructor\nlet a;\n```\n\n```__proto__\nlet a;\n```',
    ],
    ['more than 16 KB', `\`\`\`js\n${'let a;\n'.repeat(2_341)}\`\`\``],
  ])('leaves %s unchanged', async (_, markdown) => {
    const { html, page } = await render(markdown, limit);
    expect(page).toBe(html);
  });

  it('stops after its time limit without failing the conversion', async () => {
    const slow = `\`\`\`markdown\n${'['.repeat(8_000)}\n\`\`\`\n\n`;
    const blocks = (await withExtras(slow.repeat(50))).match(/<code class=[^>]*>/g) ?? [];
    expect(blocks).toHaveLength(50);
    expect(blocks[0]).toBe('<code class="hljs language-markdown" data-language="Markdown">');
    expect(blocks[49]).toBe('<code class="language-markdown">');
  });

  it('stops before the result gets too large', async () => {
    const block = `\`\`\`js\n${'1 '.repeat(50)}\n\`\`\`\n\n`;
    const plain = (await convert(block.repeat(10), 1e6))?.html ?? '';
    const html = addExtras(plain, 5_000, {
      highlight: createHighlighter(() => 0),
      renderMath: () => undefined,
      showColors: () => undefined,
    });
    expect(html.match(/class="hljs /g)).toHaveLength(2);
    expect(html.replace(/<\/?span[^>]*>|hljs (?=language)| data-language="JavaScript"/g, '')).toBe(
      plain,
    );
  });
});

describe('render', () => {
  it('returns micromark’s HTML beside that of the page', async () => {
    const { html, page } = await render('# a\n\n```js\nlet a;\n```', limit);
    expect(html).toBe('<h1>a</h1>\n<pre><code class="language-js">let a;\n</code></pre>');
    expect(page).toMatch(/<h1 id="a">.*hljs language-js/s);
  });
});

describe('math', () => {
  const x = '<math><mi>x</mi></math>';
  const displayed = '<math display="block" class="tml-display"><mi>x</mi></math>';

  it.each([
    ['a $x$ b', `<p>a ${x} b</p>`],
    ['($x$), **$x$**-axis: $x$.', `<p>(${x}), <strong>${x}</strong>-axis: ${x}.</p>`],
    ['因为$x$是', `<p>因为${x}是</p>`],
    ['a $`x`$ b', `<p>a ${x} b</p>`],
    ['$$x$$', `<p>${displayed}</p>`],
    ['a $$ x $$ b', `<p>a ${displayed} b</p>`],
    ['$$\nx\n$$\nb', `${displayed}\n<p>b</p>`],
    ['- a\n\n  $$\n  x\n  $$', `<ul>\n<li>\n<p>a</p>\n${displayed}\n</li>\n</ul>`],
    ['> $$\n> x\n> $$', `<blockquote>\n${displayed}\n</blockquote>`],
    ['```math\nx\n```', displayed],
    ['\\$1 $x$', `<p>$1 ${x}</p>`],
    ['$a\nb$', '<p><math><mrow><mi>a</mi><mi>b</mi></mrow></math></p>'],
  ])('of %j becomes MathML', async (markdown, page) => {
    expect(await withExtras(markdown)).toBe(page);
  });

  it.each([
    ['$5 and $10'],
    ['US$5, US$ 6 and 7$'],
    ['It costs $5.\nIt cost -$10.'],
    ['a$x$ $x$b $x$1'],
    ['$x $'],
    ['$ x$'],
    ['\\$x$'],
    ['`$x$`'],
    ['$$$x$$$'],
    ['$$'],
    ['$x'],
    ['$`x` and `y`'],
  ])('isn’t in %j: its page is what the API returns', async (markdown) => {
    const { html, page } = await render(markdown, limit);
    expect(page).toBe(html);
  });

  it.each([
    ['$\\frac{$', '<p>$\\frac{$</p>'],
    ['$\\unknown & <b>$', '<p>$\\unknown &amp; &lt;b&gt;$</p>'],
    ['$$\n\\frac{\n$$', '<p>$$\n\\frac{\n$$</p>'],
    ['$\\href{javascript:hit()}{x}$', '<p>$\\href{javascript:hit()}{x}$</p>'],
    ['$\\ref{a}$', '<p>$\\ref{a}$</p>'],
    ['![a $x$](https://b)', '<p><img src="https://b" alt="a $x$" /></p>'],
    [`$${'{'.repeat(4_000)}$`, `<p>$${'{'.repeat(4_000)}$</p>`],
    [`$${'x'.repeat(8_193)}$`, `<p>$${'x'.repeat(8_193)}$</p>`],
    ['$\\def\\a{\\a\\a}\\a$', '<p>$\\def\\a{\\a\\a}\\a$</p>'],
  ])('that can’t be shown stays as text: %#', async (markdown, page) => {
    expect(await withExtras(markdown)).toBe(page);
  });

  it('of a block that doesn’t end takes in nothing', async () => {
    expect(await withExtras('$$\nx\n\n# b\n\n$x$')).toBe(
      '<p>$$\nx</p>\n<h1 id="b">b<a class="anchor" href="#b" aria-label="Link to this section">#</a></h1>\n<p><math><mi>x</mi></math></p>',
    );
  });

  it('has no ids, links, styles or scripts of its own', async () => {
    const page = await withExtras(
      [
        '$\\color{red}x \\boxed{y} \\text{<img src=x onerror=hit()>}$',
        '$\\label{main}x \\fcolorbox{red}{blue}{A} \\raisebox{3em}{x} \\llap{x}$',
        '$$\\begin{array}{|c|c|}\\hline a&b\\\\\\hline\\end{array} \\tag{1}$$',
        '$\\rule{9999999em}{9em}$',
      ].join('\n\n'),
    );
    expect(page.match(/<math/g)).toHaveLength(4);
    expect(page).not.toMatch(/ (?:style|id|href|src|on\w+)=/);
    expect(page).toContain('mathcolor="#ff0000"');
    expect(page).toContain('&lt;img\u00a0src=x\u00a0onerror=hit()&gt;');
    expect(page).not.toContain('9999999');
  });

  it('isn’t in the result of the endpoint', async () => {
    expect(await toHtml('$x$\n\n$$\nx\n$$\n\n> [!NOTE]\n> a')).toBe(
      '<p>$x$</p>\n<p>$$\nx\n$$</p>\n<blockquote>\n<p>[!NOTE]\na</p>\n</blockquote>',
    );
  });

  it('stops after its time limit', () => {
    let now = 0;
    const renderMath = createMathRenderer(() => now, 1_000);
    expect(renderMath('x', false)).toBe(x);
    now = 1_000_001;
    expect(renderMath('x', false)).toBeUndefined();
  });

  it('stops before the result gets too large', async () => {
    const renderMath = createMathRenderer(() => 0, 50);
    expect([renderMath('x', false), renderMath('xyz', false), renderMath('x', false)]).toEqual([
      x,
      undefined,
      x,
    ]);
  });
});

const alert = (kind: string, title: string, icon: string, text: string) =>
  `<div class="alert ${kind}" role="note"><p class="alert-title"><i class="i-${icon}"></i>${title}</p>\n${text}\n</div>`;

describe('an alert', () => {
  it.each([
    ['NOTE', 'note', 'Note', 'info'],
    ['Tip', 'tip', 'Tip', 'check'],
    ['IMPORTANT', 'important', 'Important', 'bell'],
    ['WARNING', 'warning', 'Warning', 'alert'],
    ['caution', 'caution', 'Caution', 'fire'],
  ])('of the kind %s has its title', async (marker, kind, title, icon) => {
    expect(await withExtras(`> [!${marker}]\n> Some *text*`)).toBe(
      alert(kind, title, icon, '<p>Some <em>text</em></p>'),
    );
  });

  it.each([
    ['> [!NOTE]  \n> a', '<p>a</p>'],
    ['> [!NOTE]\\\n> a', undefined],
    ['>[!NOTE]\na', '<p>a</p>'],
    ['> [!NOTE]\n>\n> a', '<p>a</p>'],
    ['> [!NOTE]\n> - a', '<ul>\n<li>a</li>\n</ul>'],
    ['> [!NOTE]\n> ```\n> a\n> ```', '<pre><code>a\n</code></pre>'],
    ['> [!NOTE]\n> > a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['> [!NOTE]\n> $x$', '<p><math><mi>x</mi></math></p>'],
  ])('of %j has its text', async (markdown, text) => {
    const { html, page } = await render(markdown, limit);
    expect(page).toBe(text === undefined ? html : alert('note', 'Note', 'info', text));
  });

  it.each([
    ['> [!NOTE]'],
    ['> [!NOTE]\n>\n>'],
    ['> [!NOTE] a'],
    ['> [!OTHER]\n> a'],
    ['> \\[!NOTE]\n> a'],
    ['> [!NOTE\\]\n> a'],
    ['> [!*NOTE*]\n> a'],
    ['> [!NOTE]\n> a\n\n[!NOTE]: https://b'],
    ['> a\n> [!NOTE]\n> b'],
    ['[!NOTE]\na'],
    ['- > [!NOTE]\n  > a'],
    ['> > [!NOTE]\n> > a'],
    ['a[^1]\n\n[^1]: b\n\n    > [!NOTE]\n    > c'],
  ])('isn’t %j', async (markdown) => {
    const { html, page } = await render(markdown, limit);
    expect(page).toBe(html.replaceAll('"footnote-label"', '"Footnotes"'));
  });

  it('stands beside others, in their order', async () => {
    const page = await withExtras('> [!NOTE]\n> a\n\n> b\n\n> [!TIP]\n> c\n> # d');
    expect(page).toBe(
      `${alert('note', 'Note', 'info', '<p>a</p>')}\n<blockquote>\n<p>b</p>\n</blockquote>\n${alert('tip', 'Tip', 'check', '<p>c</p>\n<h1 id="d">d<a class="anchor" href="#d" aria-label="Link to this section">#</a></h1>')}`,
    );
  });
});

describe('what pages leave as it is', () => {
  it('is a diagram: code with its name', async () => {
    expect(await withExtras('```mermaid\ngraph <b>;\n```')).toBe(
      '<pre><code class="language-mermaid" data-language="Mermaid">graph &lt;b&gt;;\n</code></pre>',
    );
  });
});
