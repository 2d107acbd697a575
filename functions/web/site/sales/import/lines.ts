import { type CsvRecord, findDelimiter, parseCsv } from '../../../../../shared/text/csv.ts';
import {
  findField,
  type ImportField,
  type ImportRow,
  importFields,
} from '../../../../api/sales/import-file.ts';
import { findProblem, toPlainAmount } from '../sale-input.ts';
import { parseTime } from '../sale-time.ts';
import { salesTexts } from '../texts.ts';

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

/** Begins to read a file, of which the first line names the columns. The records are read as they are asked for. */
export const openFile = (text: string, delimiter = findDelimiter(text)) => {
  const records = parseCsv(text, delimiter);
  const columns = records.next().value?.cells.map((name) => name.trim()) ?? [];
  return { columns, records };
};

/** Reads a file. */
export const readFile = (text: string): SalesFile => {
  const { columns, records } = openFile(text);
  return { columns, records: [...records] };
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

/**
 * Creates a function that checks the lines of a file one after the other, so that each one without a problem is a sale that
 * the API takes. Amounts of an unknown currency are left to the API.
 */
export const createLineReader = (
  columns: readonly string[],
  mapping: Mapping,
  currency: string | undefined,
) => {
  const lineOfId = new Map<string, number>();
  const findAll = (record: CsvRecord, row: ImportRow): LineProblem[] => {
    if (record.problem) return [{ message: texts.unreadable[record.problem] }];
    if (record.cells.length !== columns.length) {
      return [{ message: texts.columns(columns.length, record.cells.length) }];
    }
    const found = importFields.flatMap((field): LineProblem[] => {
      const text = row[field] ?? '';
      const isMissing = text === '' && (field === 'soldAt' || field === 'amount');
      const message = isMissing ? texts.required : findProblem(field, text, currency);
      return message === undefined ? [] : [{ field, message }];
    });
    const first = row.externalId === undefined ? undefined : lineOfId.get(row.externalId);
    if (first !== undefined) found.push({ field: 'externalId', message: texts.repeated(first) });
    else if (row.externalId !== undefined) lineOfId.set(row.externalId, record.line);
    return found;
  };
  return (record: CsvRecord): SaleLine => {
    const row = readRow(record, mapping);
    return { line: record.line, row, problems: findAll(record, row) };
  };
};

/** Checks all lines of a file. */
export const readLines = (
  { columns, records }: SalesFile,
  mapping: Mapping,
  currency: string,
): SaleLine[] => records.map(createLineReader(columns, mapping, currency));

/** Converts a line without problems to the body of a request. */
export const toBody = ({ amount = '', cost, soldAt = '', ...texts }: ImportRow) => ({
  ...texts,
  amount: toPlainAmount(amount),
  ...(cost !== undefined && { cost: toPlainAmount(cost) }),
  soldAt: parseTime(soldAt) ?? soldAt,
});
