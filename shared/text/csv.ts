/** A record of a CSV file. */
export interface CsvRecord {
  /** The line of the file that it begins on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why it can’t be read. */
  readonly problem?: CsvProblem;
}

export type CsvProblem = 'quoteInText' | 'textAfterQuote' | 'openQuote';

const delimiters = [',', ';', '\t'] as const;

/** Returns the delimiter that the first line has most of, outside quotes. */
export const findDelimiter = (text: string): string => {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best));
};

const find = (text: string, pattern: RegExp, from: number): number => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
};

/** Reads a cell after its opening quote; `undefined` if no quote closes it. */
const readQuoted = (text: string, from: number) => {
  let cell = '';
  for (let at = from; ; at += 1) {
    const end = text.indexOf('"', at);
    if (end === -1) return undefined;
    cell += text.slice(at, end);
    at = end + 1;
    if (text[at] !== '"') return { cell, end: at };
    cell += '"';
  }
};

/**
 * Parses CSV strictly as RFC 4180 says, with any line breaks. Skips a byte order mark and empty lines. A record that can’t
 * be read has its problem, and the next one begins on the next line. `delimiter` is one character.
 */
export function* parseCsv(text: string, delimiter: string): Generator<CsvRecord, undefined> {
  const lineEnd = /[\r\n]/g;
  const cellEnd = new RegExp(`[\\u{${delimiter.codePointAt(0)?.toString(16)}}\r\n]`, 'gu');
  let line = 1;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; ) {
    const start = at;
    const cells: string[] = [];
    let problem: CsvProblem | undefined;
    for (let isNext = true; isNext; ) {
      const quoted = text[at] === '"' ? readQuoted(text, at + 1) : undefined;
      const end = quoted?.end ?? find(text, cellEnd, at);
      const cell = quoted?.cell ?? text.slice(at, end);
      if (!quoted && cell.includes('"')) problem = cell[0] === '"' ? 'openQuote' : 'quoteInText';
      else if (quoted && find(text, cellEnd, end) !== end) problem = 'textAfterQuote';
      cells.push(cell);
      isNext = problem === undefined && text[end] === delimiter;
      at = isNext ? end + 1 : end;
    }
    if (problem !== undefined) at = find(text, lineEnd, at);
    at += text.startsWith('\r\n', at) ? 2 : 1;
    const isEmpty = cells.length === 1 && cells[0] === '' && text[start] !== '"';
    if (!isEmpty) yield { line, cells, ...(problem && { problem }) };
    line += text.slice(start, at).match(/\r\n|\r|\n/g)?.length ?? 0;
  }
}
