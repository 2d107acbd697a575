import { describe, expect, it } from 'vitest';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';
import { createMathRenderer } from '../../../shared/markdown/math/mathml.ts';

const limit = { field: 'content', cpuMs: 3_000 };
const toPage = async (markdown: string) => (await render(markdown, limit)).page;

const x = '<math><mi>x</mi></math>';
const displayed = '<math display="block" class="tml-display"><mi>x</mi></math>';

describe('math', () => {
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
    expect(await toPage(markdown)).toBe(page);
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
    ['![a $x$](b)', '<p><img src="b" alt="a $x$" /></p>'],
    [`$${'{'.repeat(4_000)}$`, `<p>$${'{'.repeat(4_000)}$</p>`],
    [`$${'x'.repeat(8_193)}$`, `<p>$${'x'.repeat(8_193)}$</p>`],
    ['$\\def\\a{\\a\\a}\\a$', '<p>$\\def\\a{\\a\\a}\\a$</p>'],
  ])('that can’t be shown stays as text: %#', async (markdown, page) => {
    expect(await toPage(markdown)).toBe(page);
  });

  it('of a block that doesn’t end takes in nothing', async () => {
    expect(await toPage('$$\nx\n\n# b\n\n$x$')).toBe(
      '<p>$$\nx</p>\n<h1 id="section-b">b<a class="anchor" href="#section-b" aria-label="Link to this section">#</a></h1>\n<p><math><mi>x</mi></math></p>',
    );
  });

  it('has no ids, links, styles or scripts of its own', async () => {
    const page = await toPage(
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

  it('stops before the result gets too large', () => {
    const renderMath = createMathRenderer(() => 0, 50);
    expect([renderMath('x', false), renderMath('xyz', false), renderMath('x', false)]).toEqual([
      x,
      undefined,
      x,
    ]);
  });
});
