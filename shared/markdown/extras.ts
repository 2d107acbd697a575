import { linkToHeadings, type Slugs, writeHeading } from './headings.ts';
import { createHighlighter } from './highlight.ts';

// micromark escapes every `<` of the source, so these tags are its own. The heading of footnotes has attributes.
const headingOrCode =
  /<h([1-6])>(.*?)<\/h\1>|<pre><code class="language-([^"]+)">([^<]*)<\/code><\/pre>/gs;

const writeCode = (language: string, highlighted: string | undefined): string | undefined =>
  highlighted && `<pre><code class="hljs language-${language}">${highlighted}</code></pre>`;

/**
 * A fragment that micromark has made, with an anchor at each heading, the document's own links leading there, and code
 * highlighted by classes (`hljs-…`). What would make it larger than `maxBytes` of UTF-8 is left out.
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
