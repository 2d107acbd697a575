import { expect, it } from 'vitest';
import { render } from '../../../functions/web/browser/preview/render.ts';
import { decorateHtml } from '../../../functions/web/layout/rendered-html.ts';
import { render as renderShare } from '../../../shared/markdown/markdown.ts';

it('previews the page of 512 KB, the most that can be shared', async () => {
  const begin = '# One\n\n> [!NOTE]\n> $x$\n\n```ts title="a.ts"\nlet a;\n```\n\n';
  const paragraph = `${'Some words of a sentence, with *one* that matters. '.repeat(8)}\n\n## Part\n\n`;
  const count = Math.floor((512 * 1_024 - begin.length) / paragraph.length);
  const text = begin + paragraph.repeat(count);
  const { page } = await renderShare(text, { field: 'content', cpuMs: 10_000 });
  const { blocks } = await render(text);
  // Within a page of many ids, those of headings begin with a prefix.
  const shown = blocks.join('\n').replaceAll('preview:', '');
  // A preview has no switch that wraps lines.
  expect(shown).toBe(decorateHtml(page, { isPreview: true }).trim());
  expect(blocks).toHaveLength(3 + 2 * count);
});
