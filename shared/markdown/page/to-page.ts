import type { Options } from 'micromark';
import { countBytes } from '../../text/count-bytes.ts';
import { type Converted, checkFragment, compileEvents } from '../convert.ts';
import { parseEvents, safeGfm } from '../dialect.ts';
import { withEmoji } from '../emoji/emoji.ts';
import { findFiles } from '../files/file-blocks.ts';
import { fileHtml, findFileTokens } from '../files/file-html.ts';
import { renderFrontMatter } from '../front-matter/front-matter.ts';
import { detectKind } from '../kinds/detect-kind.ts';
import type { OwnFiles } from '../links-and-images/own-files.ts';
import type { RenderMath } from '../math/mathml.ts';
import { alertHtml, findAlerts } from './alerts.ts';
import type { ShowColors } from './ansi.ts';
import { addExtras } from './extras.ts';
import type { Highlight } from './highlight.ts';

const noMath: RenderMath = () => undefined;
const noHighlight: Highlight = () => undefined;
const noColors: ShowColors = () => undefined;

/** Parses a document with its math. Returns `undefined` if it has none. */
const parseMath = async (markdown: string) => {
  if (!markdown.includes('$')) return undefined;
  const { findMath, mathHtml, mathSyntax } = await import('../math/math.ts');
  const parse = (withBlocks: boolean) => {
    const extensions = [...safeGfm.extensions, mathSyntax(withBlocks)];
    const events = parseEvents(markdown, { extensions });
    return { events, found: findMath(events) };
  };
  const first = parse(true);
  const { events, found } = first.found.hasOpenBlock ? parse(false) : first;
  if (found.count === 0) return undefined;
  return { events, toHtml: (render: RenderMath) => mathHtml(render, found.plain) };
};

/** What a page depends on besides its Markdown. */
export interface PageOptions {
  /** What ids of headings begin with, where a page has ids of its own. */
  readonly idPrefix?: string;
  /** The files of the share. */
  readonly files?: OwnFiles | undefined;
}

/** Checks the links and images of a page, and marks those to files of the share. Finding them is loaded for shares with files. */
const checkForPage = async (
  html: string,
  maxBytes: number,
  files: OwnFiles | undefined,
): Promise<string | undefined> => {
  if (!files) return checkFragment(html, maxBytes, 'page');
  const { markOwnFiles } = await import('../links-and-images/own-files.ts');
  return checkFragment(markOwnFiles(html, files), maxBytes, 'files');
};

/**
 * Creates the fragment of a page from what `convert` made of the same Markdown: with alerts, math as MathML,
 * front matter, anchors at headings, highlighted code, the names and line numbers of files, and the table or tree of a file that is all of it. Paths become no links and images there,
 * but those to the files of the share. Omits what would exceed `maxBytes` (UTF-8), and stops decorating after a time, by a clock in
 * microseconds of CPU time. Returns `undefined` if the fragment alone exceeds `maxBytes`. Libraries are loaded when a
 * document needs them.
 */
export const toPage = async (
  markdown: string,
  converted: Converted,
  maxBytes: number,
  usedCpu: () => number,
  { idPrefix = '', files: ownFiles }: PageOptions = {},
): Promise<Converted | undefined> => {
  const { html, events } = converted;
  const math = await parseMath(markdown);
  const hasMath = math !== undefined || html.includes('<pre><code class="language-math">');
  const renderMath = hasMath
    ? (await import('../math/mathml.ts')).createMathRenderer(usedCpu, maxBytes - countBytes(html))
    : noMath;
  const alerts = findAlerts(math?.events ?? events);
  const found = findFiles(markdown);
  const files = findFileTokens(alerts.events, found.files);
  let page = converted;
  if (math || alerts.kinds.size > 0 || files.size > 0) {
    const options: Options = {
      ...safeGfm,
      htmlExtensions: [
        ...safeGfm.htmlExtensions,
        alertHtml(alerts.kinds),
        fileHtml(files),
        ...(math ? [math.toHtml(renderMath)] : []),
      ],
    };
    const compiled = await compileEvents(alerts.events, maxBytes, options);
    if (compiled) page = { ...compiled, events: math?.events ?? events };
  }
  const checked = await checkForPage(page.html, maxBytes, ownFiles);
  if (checked === undefined) return undefined;
  const front = await renderFrontMatter(events);
  if (front !== '' && countBytes(front) + countBytes(checked) <= maxBytes) {
    const constructs = page.constructs && [0, ...page.constructs.map((number) => number + 1)];
    page = { ...page, html: front + checked, ...(constructs && { constructs }) };
  } else page = { ...page, html: checked };
  const highlight = page.html.includes('<code class="language-')
    ? (await import('./highlight.ts')).createHighlighter(usedCpu)
    : noHighlight;
  const showColors = page.html.includes('\u001B')
    ? (await import('./ansi.ts')).createColors()
    : noColors;
  const tools = { highlight, showColors, renderMath };
  // Slugs keep the name of an emoji, so these come last.
  const decorated = addExtras(page.html, maxBytes, tools, idPrefix);
  const whole = await withEmoji(decorated, maxBytes);
  const [file] = found.isOnlyFile && files.size === 1 ? found.files : [];
  if (!file || !detectKind(file.name)) return { ...page, html: whole };
  const { addFileView } = await import('../kinds/file-views.ts');
  return { ...page, html: addFileView(whole, file, maxBytes) };
};
