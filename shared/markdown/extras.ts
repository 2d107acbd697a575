import { linkToHeadings, type Slugs, writeHeading } from './headings.ts';
import { createHighlighter } from './highlight.ts';

// micromark escapes every `<` of the source, so these tags are its own. The footnotes heading has attributes.
const headingOrCode =
  /<h([1-6])>(.*?)<\/h\1>|<pre><code class="language-([^"]+)">([^<]*)<\/code><\/pre>/gs;

const writeCode = (language: string, highlighted: string | undefined): string | undefined =>
  highlighted && `<pre><code class="hljs language-${language}">${highlighted}</code></pre>`;

/**
 * Adds anchors to the headings of a micromark fragment, links to them and code highlighting (classes `hljs-…`). Omits
 * what would exceed `maxBytes` (UTF-8).
 */
export const addExtras = (fragment: string, maxBytes: number): string => {
  const slugs: Slugs = new Map();
  const highlight = createHighlighter();
  const parts: string[] = [];
  let bytesLeft = maxBytes - Buffer.byteLength(fragment);
  let end = 0;
  for (const match of fragment.matchAll(headingOrCode)) {
    const [whole, rank, heading = '', language = '', code = ''] = match;
    const extended =
      rank === undefined
        ? writeCode(language, highlight(language, code))
        : writeHeading(rank, heading, slugs);
    if (extended === undefined) continue;
    const added = Buffer.byteLength(extended) - Buffer.byteLength(whole);
    if (added > bytesLeft) continue;
    bytesLeft -= added;
    parts.push(fragment.slice(end, match.index), extended);
    end = match.index + whole.length;
  }
  parts.push(fragment.slice(end));
  const extended = linkToHeadings(parts.join(''), slugs);
  return Buffer.byteLength(extended) <= maxBytes ? extended : fragment;
};
