import type { CsvProblem } from '../../text/csv.ts';

const count = (number: number, one: string, many: string): string =>
  number === 1 ? `1 ${one}` : `${number.toLocaleString('en')} ${many}`;

const csvProblems: Readonly<Record<CsvProblem, string>> = {
  quoteInText: 'has a quotation mark within a cell without quotes',
  textAfterQuote: 'has text after a closing quotation mark',
  openQuote: 'has a quotation mark that isn’t closed',
};

/** Words of the pages of files that are more than lines. */
export const kindTexts = {
  view: 'View',
  views: { table: 'Table', tree: 'Tree' },
  text: 'Text',
  shownAsText: 'Shown as text:',
  line: (line: number) => `line ${line.toLocaleString('en')}`,
  csvProblems,
  tooManyColumns: (most: number) => `it has more than ${count(most, 'column', 'columns')}`,
  rows: (rows: number, columns: number) =>
    `${count(rows, 'row', 'rows')} · ${count(columns, 'column', 'columns')}`,
  moreRows: (more: number) => `${count(more, 'more row', 'more rows')}. The text has all of them.`,
  notJson: 'isn’t valid JSON',
  tooDeep: (most: number) => `is nested more than ${most} levels deep`,
  tooManyValues: (most: number) => `it has more than ${count(most, 'value', 'values')}`,
  tooLarge: 'it is too large for a tree',
  values: (values: number) => count(values, 'value', 'values'),
  keys: (keys: number) => count(keys, 'key', 'keys'),
  items: (items: number) => count(items, 'item', 'items'),
  characters: (characters: number) => count(characters, 'character', 'characters'),
} as const;
