import { describe, expect, it } from 'vitest';
import { render } from '../../../shared/markdown/markdown.ts';

const limit = { field: 'content', cpuMs: 3_000 };
const toPage = async (markdown: string) => (await render(markdown, limit)).page;

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
    expect(await toPage(`> [!${marker}]\n> Some *text*`)).toBe(
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
    ['> [!NOTE]\n> a\n\n[!NOTE]: b'],
    ['> a\n> [!NOTE]\n> b'],
    ['[!NOTE]\na'],
    ['- > [!NOTE]\n  > a'],
    ['> > [!NOTE]\n> > a'],
    ['a[^1]\n\n[^1]: b\n\n    > [!NOTE]\n    > c'],
  ])('isn’t %j', async (markdown) => {
    const { html, page } = await render(markdown, limit);
    expect(page).toBe(html);
  });

  it('stands beside others, in their order', async () => {
    const page = await toPage('> [!NOTE]\n> a\n\n> b\n\n> [!TIP]\n> c\n> # d');
    expect(page).toBe(
      `${alert('note', 'Note', 'info', '<p>a</p>')}\n<blockquote>\n<p>b</p>\n</blockquote>\n${alert('tip', 'Tip', 'check', '<p>c</p>\n<h1 id="section-d">d<a class="anchor" href="#section-d" aria-label="Link to this section">#</a></h1>')}`,
    );
  });
});

describe('what pages leave as it is', () => {
  it('is the name of an emoji', async () => {
    expect(await toPage('a :smile: :+1:')).toBe('<p>a :smile: :+1:</p>');
  });

  it('is a diagram: code with its name', async () => {
    expect(await toPage('```mermaid\ngraph <b>;\n```')).toBe(
      '<pre><code class="language-mermaid" data-language="Mermaid diagram">graph &lt;b&gt;;\n</code></pre>',
    );
  });
});
