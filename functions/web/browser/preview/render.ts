import { compile, type Options, parse, postprocess, preprocess } from 'micromark';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import '../../../../shared/markdown/edit-map.ts';
import { addExtras } from '../../../../shared/markdown/extras.ts';
import { decorateHtml } from '../../layout/rendered-html.ts';
import { findLines, splitBlocks } from './blocks.ts';

const matters = ['yaml', 'toml'] as const;

const options: Options = {
  extensions: [gfm(), frontmatter([...matters])],
  htmlExtensions: [gfmHtml(), frontmatterHtml([...matters])],
};

/** Markdown as its page shows it. */
export interface Rendering {
  /** The HTML of each outermost block. */
  readonly blocks: readonly string[];
  /** The line, from 0, at which each block begins; empty if that can't be told. */
  readonly lines: readonly number[];
  readonly lineCount: number;
}

const createHighlight = async () => {
  // Loaded on first use, because it is larger than all the rest.
  const { createHighlighter } = await import('../../../../shared/markdown/highlight.ts');
  return createHighlighter(() => performance.now() * 1_000);
};

/** Renders Markdown as the page of a share does. */
export const render = async (markdown: string): Promise<Rendering> => {
  const chunks = preprocess()(markdown, undefined, true);
  const events = postprocess(parse(options).document().write(chunks));
  const fragment = compile(options)(events);
  const highlight = fragment.includes('<code class="language-')
    ? await createHighlight()
    : () => undefined;
  const blocks = splitBlocks(
    decorateHtml(addExtras(fragment, Number.POSITIVE_INFINITY, highlight)),
  );
  const lineCount = markdown.split('\n').length;
  // Footnotes stand at the end, wherever they are written.
  const last = blocks.at(-1)?.startsWith('<section') ? [lineCount] : [];
  const lines = [...findLines(events), ...last];
  return { blocks, lines: lines.length === blocks.length ? lines : [], lineCount };
};
