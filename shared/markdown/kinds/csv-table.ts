import { countBytes } from '../../text/count-bytes.ts';
import { type CsvRecord, findDelimiter, parseCsv } from '../../text/csv.ts';
import { kindTexts as texts } from './texts.ts';
import { escapeText, type FileView, type ViewProblem } from './view.ts';

/** What of a file is shown at most. Browsers lay out a table as a whole. */
const maxRows = 10_000;
const maxCells = 100_000;
const maxColumns = 1_000;

/** The longest cell that is looked at for a number. Code units. */
const maxNumberLength = 40;

const number = /^[-+−(]?[$€£¥]? ?\d[\d.,'’ \u00A0\u202F]*(?:e[-+]?\d+)? ?[%$€£¥)]?$/i;

const isNumber = (cell: string): boolean => cell.length <= maxNumberLength && number.test(cell);

/** Finds the columns in which all cells that aren’t empty are numbers. */
const findNumbers = (rows: readonly CsvRecord[]): ReadonlySet<number> => {
  const [numbers, others] = [new Set<number>(), new Set<number>()];
  for (const { cells } of rows) {
    for (const [at, cell] of cells.entries()) {
      if (cell.trim() === '' || others.has(at)) continue;
      if (isNumber(cell.trim())) numbers.add(at);
      else others.add(at);
    }
  }
  return new Set([...numbers].filter((at) => !others.has(at)));
};

/** Reads the rows to show, and counts the others. Stops at the first that can’t be read. */
const readRows = (text: string, delimiter: string) => {
  const rows: CsvRecord[] = [];
  let [count, cells, columns] = [0, 0, 0];
  for (const record of parseCsv(text, delimiter)) {
    if (record.problem) return { broken: { line: record.line, problem: record.problem } };
    count += 1;
    cells += record.cells.length;
    columns = Math.max(columns, record.cells.length);
    if (rows.length <= maxRows && cells <= maxCells) rows.push(record);
  }
  return { rows, count, columns };
};

const writeRow = (
  { cells }: CsvRecord,
  [plain, ofNumber, end]: readonly [string, string, string],
  numbers: ReadonlySet<number>,
): string =>
  `<tr>${cells.map((cell, at) => `${numbers.has(at) ? ofNumber : plain}${escapeText(cell)}${end}`).join('')}</tr>\n`;

const headTags = ['<th scope="col">', '<th scope="col" class="n">', '</th>'] as const;
const cellTags = ['<td>', '<td class="n">', '</td>'] as const;

/**
 * Renders a CSV file as a table: of its rows the first 10,000, and as many as fit into 100,000 cells and `maxBytes` (UTF-8).
 * Its first row is the header. Returns `undefined` for a file without rows.
 */
export const renderCsv = (
  text: string,
  delimiter: string | undefined,
  maxBytes: number,
): FileView | ViewProblem | undefined => {
  const {
    rows: all = [],
    count = 0,
    columns = 0,
    broken,
  } = readRows(text, delimiter ?? findDelimiter(text));
  if (broken) return { line: broken.line, reason: texts.csvProblems[broken.problem] };
  if (columns > maxColumns) return { reason: texts.tooManyColumns(maxColumns) };
  const [header, ...rows] = all;
  if (!header) return undefined;
  const numbers = findNumbers(rows);
  const parts = [`<table class="csv"><thead>${writeRow(header, headTags, numbers)}</thead><tbody>`];
  let bytesLeft = maxBytes - countBytes(parts[0] ?? '');
  let shown = 0;
  for (const row of rows) {
    const markup = writeRow(row, cellTags, numbers);
    bytesLeft -= countBytes(markup);
    if (bytesLeft < 0) break;
    parts.push(markup);
    shown += 1;
  }
  parts.push('</tbody></table>\n');
  const more = count - 1 - shown;
  if (more > 0) parts.push(`<p class="more">${texts.moreRows(more)}</p>\n`);
  return { name: 'table', about: texts.rows(count - 1, columns), html: parts.join('') };
};
