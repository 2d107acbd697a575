import { linkToHeadings, type Slugs, writeHeading } from './headings.ts';
import type { Highlight, Highlighted } from './highlight.ts';

// micromark escapes every `<` of the source, so these tags are its own. The footnotes heading has attributes.
const headingOrCode =
  /<h([1-6])>(.*?)<\/h\1>|<pre><code class="language-([^"]+)">([^<]*)<\/code><\/pre>/gs;

const writeCode = (language: string, highlighted: Highlighted | undefined): string | undefined =>
  highlighted &&
  `<pre><code class="hljs language-${language}" data-language="${highlighted.name}">${highlighted.html}</code></pre>`;

const encoder = new TextEncoder();
const countBytes = (text: string): number => encoder.encode(text).length;

/**
 * Adds anchors to the headings of a micromark fragment, links to them and code highlighting (classes `hljs-…`, and the
 * language's name). Omits
 * what would exceed `maxBytes` (UTF-8).
 */
export const addExtras = (fragment: string, maxBytes: number, highlight: Highlight): string => {
  const slugs: Slugs = new Map();
  const parts: string[] = [];
  let bytesLeft = maxBytes - countBytes(fragment);
  let end = 0;
  for (const match of fragment.matchAll(headingOrCode)) {
    const [whole, rank, heading = '', language = '', code = ''] = match;
    const extended =
      rank === undefined
        ? writeCode(language, highlight(language, code))
        : writeHeading(rank, heading, slugs);
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
