import { type FoundReference, maxReferences } from './reference.ts';

/** A line that opens or closes a block of code. */
const fence = /^[ \t>]{0,20}(`{3,}|~{3,})/;

/** Code within a line. */
const code = /(?<!`)(`{1,9})(?!`)[^\n]{1,500}?(?<!`)\1(?!`)/g;

/** The end of a text in brackets, then an address with a title or none. */
const inline =
  /\]\([ \t]{0,9}(?:<([^<>\n]{1,1000})>|([^\s<()][^\s()]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,3}))(?=[\s)])/g;

/** An address of a link that is named elsewhere. */
const definition = /^[ \t>]{0,20}\[[^\]\n]{1,200}\]:[ \t]{0,9}(?:<([^<>\n]{1,1000})>|(\S{1,1000}))/;

/** Finds the addresses in a line from a place of it on. */
const findInLine = (line: string): FoundReference[] => {
  // Of the same length, without what looks like an address.
  const text = line.replace(code, (whole) => ' '.repeat(whole.length));
  const defined = definition.exec(text);
  return [...(defined ? [defined] : []), ...text.matchAll(inline)].map((match) => {
    const url = match[1] ?? match[2] ?? '';
    const end = match.index + match[0].length - (match[1] === undefined ? 0 : 1);
    const isImage = /!\[[^\]]*$/.test(text.slice(Math.max(0, match.index - 300), match.index));
    return { url, start: end - url.length, end, kind: isImage ? 'image' : 'link' };
  });
};

/** Lines up to this length are read. UTF-16 units. */
const maxLineLength = 20_000;

/**
 * Finds the addresses of links, images and definitions in Markdown outside code, line by line: not those in raw HTML, nor those
 * that go on in another line. For exactly those that readers get, find them in the HTML that Markdown is converted to.
 */
export const findMarkdownReferences = (markdown: string): FoundReference[] => {
  const found: FoundReference[] = [];
  let fenced: string | undefined;
  let start = 0;
  for (const line of markdown.split('\n')) {
    const [, marks] = fence.exec(line) ?? [];
    if (fenced !== undefined) {
      if (marks?.startsWith(fenced)) fenced = undefined;
    } else if (marks !== undefined) fenced = marks;
    else if (line.length <= maxLineLength) {
      for (const reference of findInLine(line)) {
        if (found.length === maxReferences) return found;
        found.push({ ...reference, start: start + reference.start, end: start + reference.end });
      }
    }
    start += line.length + 1;
  }
  return found;
};
