import type { RenderMath } from '../math/mathml.ts';
import { decodeText } from './decode-text.ts';
import { linkToHeadings, type Slugs, writeHeading } from './headings.ts';
import type { Highlight } from './highlight.ts';
import { pageTexts } from './texts.ts';

// micromark escapes every `<` of the source, so these tags are its own. The footnotes heading has attributes.
const headingOrCode =
  /<h([1-6])>(.*?)<\/h\1>|<pre><code class="language-([^"]+)">([^<]*)<\/code><\/pre>/gs;

/** What changes blocks of code. */
export interface CodeTools {
  readonly highlight: Highlight;
  readonly renderMath: RenderMath;
}

const writeCode = (
  language: string,
  code: string,
  { highlight, renderMath }: CodeTools,
): string | undefined => {
  if (language === 'math') return renderMath(decodeText(code), true);
  // A diagram isn’t drawn: that takes a script.
  if (language === 'mermaid')
    return `<pre><code class="language-mermaid" data-language="${pageTexts.mermaid}">${code}</code></pre>`;
  const highlighted = highlight(language, code);
  return (
    highlighted &&
    `<pre><code class="hljs language-${language}" data-language="${highlighted.name}">${highlighted.html}</code></pre>`
  );
};

const encoder = new TextEncoder();
const countBytes = (text: string): number => encoder.encode(text).length;

/**
 * Adds anchors to the headings of a micromark fragment, links to them, MathML for blocks of `math`, and code highlighting
 * (classes `hljs-…`, and the language's name). Omits what would exceed `maxBytes` (UTF-8).
 */
export const addExtras = (fragment: string, maxBytes: number, tools: CodeTools): string => {
  const slugs: Slugs = new Map();
  const parts: string[] = [];
  let bytesLeft = maxBytes - countBytes(fragment);
  let end = 0;
  for (const match of fragment.matchAll(headingOrCode)) {
    const [whole, rank, heading = '', language = '', code = ''] = match;
    const extended =
      rank === undefined ? writeCode(language, code, tools) : writeHeading(rank, heading, slugs);
    if (extended === undefined) continue;
    const added = countBytes(extended) - countBytes(whole);
    if (added > bytesLeft) continue;
    bytesLeft -= added;
    parts.push(fragment.slice(end, match.index), extended);
    end = match.index + whole.length;
  }
  parts.push(fragment.slice(end));
  const extended = linkToHeadings(parts.join(''), slugs);
  return countBytes(extended) <= maxBytes ? extended : fragment;
};
