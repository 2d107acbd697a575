import { findHtmlReferences } from './html-references.ts';
import { type FoundReference, maxReferences } from './reference.ts';

/** A line that opens or closes a block of code. */
const fence = /^[ \t>]{0,20}(`{3,}|~{3,})/;

/** Code within a line. */
const code = /(?<!`)(`{1,9})(?!`)[^\n]{1,200}?(?<!`)\1(?!`)/g;

/** The end of a text in brackets, then an address, which may have parentheses. */
const inline =
  /\]\([ \t]{0,9}(?:<([^<>\n]{1,1000})>|([^\s<()][^\s()]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,3}))(?=[\s)])/g;

/** The address of links that name it elsewhere. */
const definition =
  /^[ \t>]{0,20}\[[^\]\n]{1,200}\]:[ \t]{0,9}(?:<([^<>\n]{1,1000})>|([^\s<]\S{0,1000}))/;

/** Longer lines are no prose. UTF-16 units. */
const maxLineLength = 20_000;

const toBlanks = (text: string): string => ' '.repeat(text.length);

/** Replaces code by as many blanks. */
const blankCode = (markdown: string): string => {
  let fenced: string | undefined;
  const blankLine = (line: string): string => {
    const [, marks] = fence.exec(line) ?? [];
    const isCode = fenced !== undefined || marks !== undefined || line.length > maxLineLength;
    if (fenced === undefined) fenced = marks;
    else if (marks?.startsWith(fenced)) fenced = undefined;
    return isCode ? toBlanks(line) : line.replace(code, toBlanks);
  };
  return markdown.split('\n').map(blankLine).join('\n');
};

const escaped = /\\([!-/:-@[-`{-~])/g;

const findInLine = (line: string): FoundReference[] => {
  const defined = definition.exec(line);
  return [...(defined ? [defined] : []), ...line.matchAll(inline)].map((match) => {
    const url = match[1] ?? match[2] ?? '';
    const end = match.index + match[0].length - (match[1] === undefined ? 0 : 1);
    const isImage = line[line.lastIndexOf('[', match.index) - 1] === '!';
    return {
      url: url.replace(escaped, '$1'),
      ...{ start: end - url.length, end, kind: isImage ? 'image' : 'link' },
    };
  });
};

/**
 * Finds the addresses of links, images and definitions in Markdown outside code, line by line, and those of its HTML. For
 * exactly those that readers get, find them in the HTML that it is converted to.
 */
export const findMarkdownReferences = (markdown: string): FoundReference[] => {
  const text = blankCode(markdown);
  const found = findHtmlReferences(text);
  let start = 0;
  for (const line of text.split('\n')) {
    for (const reference of findInLine(line)) {
      if (found.length === maxReferences) return found;
      found.push({ ...reference, start: start + reference.start, end: start + reference.end });
    }
    start += line.length + 1;
  }
  return found;
};
