import {
  findField,
  type ImportField,
  type ImportRow,
  importFields,
} from '../../../../api/sales/import-file.ts';
import { findProblem, toPlainAmount } from '../sale-input.ts';
import { parseTime } from '../sale-time.ts';
import { salesTexts } from '../texts.ts';
import { type CsvRecord, findDelimiter, parseCsv } from './csv.ts';

const { problems: texts } = salesTexts;

/** The largest file. Bytes. */
export const maxBytes = 1_024 * 1_024;

/** The most lines of sales. */
export const maxLines = 2_000;

/** A file that is read, with its columns. */
export interface SalesFile {
  readonly columns: readonly string[];
  readonly records: readonly CsvRecord[];
}

/** Which column each field is in. */
export type Mapping = Readonly<Partial<Record<ImportField, number>>>;

/** What is wrong with a line; without a field, it can’t be read. */
export interface LineProblem {
  readonly field?: ImportField;
  readonly message: string;
}

/** A line of the file. */
export interface SaleLine {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly row: ImportRow;
  readonly problems: readonly LineProblem[];
}

/** Reads a file: its first line names the columns. */
export const readFile = (text: string): SalesFile => {
  const [header, ...records] = parseCsv(text, findDelimiter(text));
  return { columns: header?.cells.map((name) => name.trim()) ?? [], records };
};

/** Finds the column of each field by its name. */
export const mapColumns = (columns: readonly string[]): Mapping =>
  Object.fromEntries(
    importFields.flatMap((field) => {
      const at = columns.findIndex((column) => findField(column) === field);
      return at === -1 ? [] : [[field, at]];
    }),
  );

const readRow = ({ cells }: CsvRecord, mapping: Mapping): ImportRow =>
  Object.fromEntries(
    importFields.flatMap((field) => {
      const text = cells[mapping[field] ?? -1]?.trim() ?? '';
      return text === '' ? [] : [[field, text]];
    }),
  );

/** Checks all lines of a file, so that each one without a problem is a sale that the API takes. */
export const readLines = (
  { columns, records }: SalesFile,
  mapping: Mapping,
  currency: string,
): SaleLine[] => {
  const lineOfId = new Map<string, number>();
  const findAll = (record: CsvRecord, row: ImportRow): LineProblem[] => {
    if (record.problem) return [{ message: texts.unreadable[record.problem] }];
    if (record.cells.length !== columns.length) {
      return [{ message: texts.columns(columns.length, record.cells.length) }];
    }
    const found = importFields.flatMap((field): LineProblem[] => {
      const isMissing = field === 'soldAt' && row.soldAt === undefined;
      const message = isMissing ? texts.required : findProblem(field, row[field] ?? '', currency);
      return message === undefined ? [] : [{ field, message }];
    });
    const first = row.externalId === undefined ? undefined : lineOfId.get(row.externalId);
    if (first !== undefined) found.push({ field: 'externalId', message: texts.repeated(first) });
    else if (row.externalId !== undefined) lineOfId.set(row.externalId, record.line);
    return found;
  };
  return records.map((record) => {
    const row = readRow(record, mapping);
    return { line: record.line, row, problems: findAll(record, row) };
  });
};

/** Converts a line without problems to the body of a request. */
export const toBody = ({ amount = '', cost, soldAt = '', ...texts }: ImportRow) => ({
  ...texts,
  amount: toPlainAmount(amount),
  ...(cost !== undefined && { cost: toPlainAmount(cost) }),
  soldAt: parseTime(soldAt) ?? soldAt,
});
