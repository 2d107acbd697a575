import { countBytes } from '../../text/count-bytes.ts';
import { lineIdPrefix, numberLines } from '../files/line-numbers.ts';
import type { RenderMath } from '../math/mathml.ts';
import type { ShowColors } from './ansi.ts';
import { decodeText } from './decode-text.ts';
import { createHeadingWriter } from './headings.ts';
import type { Highlight } from './highlight.ts';
import { pageTexts } from './texts.ts';

// Classes and data are ours alone: the sanitizer removes an author’s. A heading around another isn’t one; that of footnotes is no part of the text.
const headingOrCode =
  /<h([1-6])(?! id="footnote-label")((?: [^<>]*)?)>((?:(?!<\/?h[1-6][ >]).)*)<\/h\1>|<pre><code(?: class="language-([^"]+)"( data-file="[^"]*"(?: data-unended)?)?)?>([^<]*)<\/code><\/pre>/gs;

/** What changes blocks of code. */
export interface CodeTools {
  readonly highlight: Highlight;
  readonly showColors: ShowColors;
  readonly renderMath: RenderMath;
}

/** A block with colors, or highlighted, or the code of a diagram. */
const decorate = (language: string, code: string, { highlight, showColors }: CodeTools) => {
  const colored = showColors(language, code);
  if (colored !== undefined) return { classes: '', html: colored, name: undefined };
  // The page’s script draws it, if it can.
  if (language === 'mermaid') return { classes: '', html: code, name: pageTexts.mermaid };
  const highlighted = highlight(language, code);
  return highlighted && { classes: 'hljs ', ...highlighted };
};

/** A block of code. `file` is the attributes of its file, and `lines` the prefix of the ids of its lines. */
interface CodeBlock {
  readonly language: string;
  readonly code: string;
  readonly file: string;
  readonly lines: string | undefined;
}

const writeCode = (
  { language, code, file, lines }: CodeBlock,
  tools: CodeTools,
): string | undefined => {
  if (language === 'math' && lines === undefined) return tools.renderMath(decodeText(code), true);
  const decorated = decorate(language, code, tools);
  if (!decorated && lines === undefined) return undefined;
  const { classes = '', html = code, name } = decorated ?? {};
  const numbered = lines === undefined ? html : numberLines(html, lines);
  if (language === '') return `<pre><code>${numbered}</code></pre>`;
  const named = name === undefined ? '' : ` data-language="${name}"`;
  return `<pre><code class="${classes}language-${language}"${named}${file}>${numbered}</code></pre>`;
};

/** Returns whether what follows a part of a fragment is in a link, by whether what precedes it is. */
const endsInLink = (part: string, before: boolean): boolean => {
  const start = Math.max(part.lastIndexOf('<a '), part.lastIndexOf('<a>'));
  const end = part.lastIndexOf('</a>');
  return start === end ? before : start > end;
};

/**
 * Adds anchors to the headings of a fragment, links to them, MathML for blocks of `math`, and code highlighting
 * (classes `hljs-…`, and the language's name), and numbers the lines of files. Ids of headings begin with a prefix, which
 * may be empty. Omits what would exceed `maxBytes` (UTF-8).
 */
export const addExtras = (
  fragment: string,
  maxBytes: number,
  tools: CodeTools,
  idPrefix = '',
): string => {
  const headings = createHeadingWriter(fragment, idPrefix);
  const parts: string[] = [];
  const fileCount = fragment.split(' data-file="').length - 1;
  let files = 0;
  let bytesLeft = maxBytes - countBytes(fragment);
  let end = 0;
  let seen = 0;
  let isInLink = false;
  for (const match of fragment.matchAll(headingOrCode)) {
    const [whole, rank, attributes = '', content = '', language = '', file = '', code = ''] = match;
    isInLink = endsInLink(fragment.slice(seen, match.index), isInLink);
    seen = match.index + whole.length;
    const lines = file === '' ? undefined : lineIdPrefix(++files, fileCount);
    const extended =
      rank === undefined
        ? writeCode({ language, code, file, lines }, tools)
        : headings.write({ rank, attributes, content, isInLink });
    if (extended === undefined) continue;
    const added = countBytes(extended) - countBytes(whole);
    if (added > bytesLeft) continue;
    bytesLeft -= added;
    parts.push(fragment.slice(end, match.index), extended);
    end = match.index + whole.length;
  }
  parts.push(fragment.slice(end));
  const extended = headings.pointLinks(parts.join(''));
  return countBytes(extended) <= maxBytes ? extended : fragment;
};
