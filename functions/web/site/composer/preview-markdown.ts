import { micromark } from 'micromark';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import '../../../../shared/markdown/edit-map.ts';
import { addExtras } from '../../../../shared/markdown/extras.ts';
import type { Highlight } from '../../../../shared/markdown/highlight.ts';
import { decorateHtml } from '../../layout/rendered-html.ts';

const matters = ['yaml', 'toml'] as const;

const options = {
  extensions: [gfm(), frontmatter([...matters])],
  htmlExtensions: [gfmHtml(), frontmatterHtml([...matters])],
};

/** Renders Markdown as its share page does. Escapes raw HTML and removes dangerous URLs. */
export const toPreview = (markdown: string, highlight: Highlight = () => undefined): string =>
  decorateHtml(addExtras(micromark(markdown, options), Number.POSITIVE_INFINITY, highlight));
