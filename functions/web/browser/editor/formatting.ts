import type { Edit, Language, Range } from './text-editor.ts';

/** What a button of the toolbar makes of the selected text. */
export type Format = 'heading' | 'bold' | 'italic' | 'link' | 'quote' | 'list' | 'code' | 'image';

type Formatter = (text: string, range: Range) => Edit;

/** What is written where an address is missing. It is selected, so that typing replaces it. */
const emptyUrl = 'https://';

/** Puts marks around the selected text, or removes them if they are there. */
const wrap =
  (open: string, close = open): Formatter =>
  (text, { from, to }) => {
    const selected = text.slice(from, to);
    const outer = { from: from - open.length, to: to + close.length };
    const isWrapped =
      outer.from >= 0 &&
      text.slice(outer.from, from) === open &&
      text.slice(to, outer.to) === close &&
      // One of the two marks of bold text isn't italic.
      !(open === '*' && text.slice(0, from).endsWith('**') && !text.slice(0, from).endsWith('***'));
    if (isWrapped) {
      const selection = { from: outer.from, to: outer.from + selected.length };
      return { change: { ...outer, insert: selected }, selection };
    }
    const selection = { from: from + open.length, to: to + open.length };
    return { change: { from, to, insert: open + selected + close }, selection };
  };

/** Widens a range to whole lines. */
const toLines = (text: string, { from, to }: Range): Range => {
  const end = text.indexOf('\n', to);
  return { from: text.lastIndexOf('\n', from - 1) + 1, to: end < 0 ? text.length : end };
};

/** Puts a mark before each selected line, or removes it if each has one. */
const prefix =
  (mark: string, known: RegExp): Formatter =>
  (text, range) => {
    const { from, to } = toLines(text, range);
    const lines = text.slice(from, to).split('\n');
    const isMarked = lines.every((line) => known.test(line));
    const marked = lines.map((line) => (isMarked ? line.replace(known, '') : mark + line));
    const insert = marked.join('\n');
    const end = from + insert.length;
    const selection = { from: range.from === range.to ? end : from, to: end };
    return { change: { from, to, insert }, selection };
  };

const label = Symbol('label');
const url = Symbol('url');

/** Writes the selected text as label or address, and selects what is missing. */
const address =
  (pieces: readonly (string | symbol)[]): Formatter =>
  (text, { from, to }) => {
    const selected = text.slice(from, to);
    const isUrl = /^https?:\/\/\S+$/.test(selected);
    const values = new Map([
      [label, isUrl ? '' : selected],
      [url, isUrl ? selected : emptyUrl],
    ]);
    const written = pieces.map((piece) => (typeof piece === 'string' ? piece : values.get(piece)));
    const missing = pieces.indexOf(isUrl ? label : url);
    const at = from + written.slice(0, missing).join('').length;
    return {
      change: { from, to, insert: written.join('') },
      selection: { from: at, to: at + (written[missing]?.length ?? 0) },
    };
  };

/** Formats code: a fence around lines, marks around less. */
const markdownCode: Formatter = (text, range) => {
  if (!text.slice(range.from, range.to).includes('\n')) return wrap('`')(text, range);
  return wrap('```\n', '\n```')(text, toLines(text, range));
};

const formatters: Readonly<Record<Language, Readonly<Record<Format, Formatter>>>> = {
  markdown: {
    heading: prefix('## ', /^#{1,6} +/),
    bold: wrap('**'),
    italic: wrap('*'),
    link: address(['[', label, '](', url, ')']),
    quote: prefix('> ', /^> ?/),
    list: prefix('- ', /^[-*+] +/),
    code: markdownCode,
    image: address(['![', label, '](', url, ')']),
  },
  html: {
    heading: wrap('<h2>', '</h2>'),
    bold: wrap('<strong>', '</strong>'),
    italic: wrap('<em>', '</em>'),
    link: address(['<a href="', url, '">', label, '</a>']),
    quote: wrap('<blockquote>', '</blockquote>'),
    list: wrap('<ul>\n<li>', '</li>\n</ul>'),
    code: wrap('<code>', '</code>'),
    image: address(['<img src="', url, '" alt="', label, '">']),
  },
};

/** Returns the edit that formats the selected text. Formatting it again removes what can be told apart from the text. */
export const format = (name: Format, language: Language, text: string, range: Range): Edit =>
  formatters[language][name](text, range);
