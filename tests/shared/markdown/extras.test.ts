import { describe, expect, it } from 'vitest';
import { convert } from '../../../shared/markdown/convert.ts';
import { render } from '../../../shared/markdown/markdown.ts';
import { addExtras } from '../../../shared/markdown/page/extras.ts';
import { createHighlighter } from '../../../shared/markdown/page/highlight.ts';

const limit = { field: 'content', cpuMs: 3_000 };
const withExtras = async (markdown: string) => (await render(markdown, limit)).page;

const idsOf = (html: string): string[] =>
  Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id ?? '');

describe('heading anchors', () => {
  it('link to their heading', async () => {
    expect(await withExtras('## Getting *started*')).toBe(
      '<h2 id="section-getting-started">Getting <em>started</em><a class="anchor" href="#section-getting-started" aria-label="Link to this section">#</a></h2>',
    );
  });

  it.each([
    ['# Hello, World! & <co>', 'section-hello-world--co'],
    ['# `a_b` c-d', 'section-a_b-c-d'],
    ['# [Link](https://a.example) ![image](b.png)', 'section-link'],
    ['Two\nlines\n===', 'section-two-lines'],
    ['# Ünï 中文 😀', 'section-ünï-中文-'],
    ['> # In a quote', 'section-in-a-quote'],
    ['# __proto__', 'section-proto'],
    ['# " onclick="alert(1)', 'section-onclickalert1'],
  ])('of %j have the id %s', async (markdown, id) => {
    expect(idsOf(await withExtras(markdown))).toEqual([id]);
  });

  it('have unique ids', async () => {
    expect(idsOf(await withExtras('# a\n# a\n# a-1\n# a\n# A'))).toEqual([
      'section-a',
      'section-a-1',
      'section-a-1-1',
      'section-a-2',
      'section-a-3',
    ]);
  });

  it('are omitted for headings without a word', async () => {
    expect(await withExtras('#\n\n# !?')).toBe('<h1></h1>\n<h1>!?</h1>');
  });

  it('have other ids than footnotes', async () => {
    const ids = idsOf(
      await withExtras('# user-content-fn-1\n# footnote-label\n\na[^1]\n\n[^1]: b'),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('section-user-content-fn-1');
  });

  it("are targets of the document's links", async () => {
    const html = await withExtras(
      '[a](#install) [b](#ärger "t") [c](#nowhere) <b href="#install">\n\n# Install\n# Ärger\n# user-content-fn-1\n\nd[^1]\n\n[^1]: e',
    );
    expect(html).toContain('<a class="local" href="#section-install">a</a>');
    expect(html).toContain('<a class="local" href="#section-%C3%A4rger" title="t">b</a>');
    expect(html).toContain('<a href="#nowhere">c</a>');
    expect(html).toContain('<a href="#user-content-fn-1" id=');
    expect(html).toContain('&lt;b href=&quot;#install&quot;&gt;');
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

  it('stops before the result gets too large', () => {
    const plain = convert(`\`\`\`js\n${'1 '.repeat(50)}\n\`\`\`\n\n`.repeat(10), 1e6)?.html ?? '';
    const html = addExtras(plain, 5_000, {
      highlight: createHighlighter(() => 0),
      renderMath: () => undefined,
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
    expect(page).toMatch(/<h1 id="section-a">.*hljs language-js/s);
  });
});
