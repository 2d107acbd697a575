import { convert } from '../../../../shared/markdown/convert.ts';
import '../../../../shared/markdown/edit-map.ts';
import { maxResultBytes } from '../../../../shared/markdown/limits.ts';
import {
  findUnshownImages,
  type UnshownImages,
} from '../../../../shared/markdown/links-and-images/unshown-images.ts';
import { decodeText } from '../../../../shared/markdown/page/decode-text.ts';
import { findTitle } from '../../../../shared/markdown/page/title.ts';
import { type PageOptions, toPage } from '../../../../shared/markdown/page/to-page.ts';
import { decorateHtml } from '../../layout/rendered-html.ts';
import { findLines, splitBlocks } from './blocks.ts';

/** Markdown as its page shows it. */
export interface Rendering {
  /** The HTML of each outermost block. */
  readonly blocks: readonly string[];
  /** The line, from 0, at which each block begins; empty if that can't be told. */
  readonly lines: readonly number[];
  readonly lineCount: number;
  /** The title of a share of it that is given none. */
  readonly title: string | undefined;
  /** The images that aren’t shown. */
  readonly unshown: UnshownImages | undefined;
}

/** Separates the ids of headings from those of the page around a preview, of which none has a colon. */
const idPrefix = 'preview:';

const convertPage = async (markdown: string, options: PageOptions) => {
  const converted = (await convert(markdown, maxResultBytes)) ?? { html: '', events: [] };
  const usedCpu = () => performance.now() * 1_000;
  return (await toPage(markdown, converted, maxResultBytes, usedCpu, options)) ?? converted;
};

/** Renders Markdown as the service stores it for the page of a share. */
export const renderPage = async (markdown: string): Promise<string> =>
  (await convertPage(markdown, {})).html;

/** Renders Markdown as the page of a share does. */
export const render = async (markdown: string): Promise<Rendering> => {
  const { html, events, constructs } = await convertPage(markdown, { idPrefix });
  const blocks = splitBlocks(decorateHtml(html, { isPreview: true }));
  const lineCount = markdown.split('\n').length;
  // Footnotes stand at the end, wherever they are written.
  const last = blocks.at(-1)?.startsWith('<section') ? [lineCount] : [];
  const found = [...findLines(events), ...last];
  const ofBlocks = constructs?.map((number) => found[number] ?? lineCount) ?? found;
  // An outermost link that can't be followed may have left nothing.
  const lines = [ofBlocks, found].find(({ length }) => length === blocks.length) ?? [];
  const images = findUnshownImages(html);
  const unshown = images && { ...images, first: decodeText(images.first) };
  return { blocks, lines, lineCount, title: findTitle(html), unshown };
};
