import { linkToHeadings, type Slugs, writeHeading } from './headings.ts';
import { createHighlighter } from './highlight.ts';

// micromark escapes every `<` of the source, so these tags are its own. The heading of footnotes has attributes.
const headingOrCode =
  /<h([1-6])>(.*?)<\/h\1>|<pre><code class="language-([^"]+)">([^<]*)<\/code><\/pre>/gs;

const writeCode = (language: string, highlighted: string | undefined): string | undefined =>
  highlighted && `<pre><code class="hljs language-${language}">${highlighted}</code></pre>`;

/**
 * A fragment that micromark has made, with an anchor at each heading, the document's own links leading there, and code
 * highlighted by classes (`hljs-…`). Nothing once it has more than `maxLength` UTF-16 units.
 */
export const addExtras = (fragment: string, maxLength: number): string | undefined => {
  const slugs: Slugs = new Map();
  const highlight = createHighlighter();
  const parts: string[] = [];
  let length = fragment.length;
  let end = 0;
  for (const match of fragment.matchAll(headingOrCode)) {
    const [whole, rank, heading = '', language = '', code = ''] = match;
    const extended =
      rank === undefined
        ? writeCode(language, highlight(language, code))
        : writeHeading(rank, heading, slugs);
    if (extended === undefined) continue;
    length += extended.length - whole.length;
    if (length > maxLength) return undefined;
    parts.push(fragment.slice(end, match.index), extended);
    end = match.index + whole.length;
  }
  parts.push(fragment.slice(end));
  return linkToHeadings(parts.join(''), slugs);
};
