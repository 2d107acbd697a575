import type { CsvRecord } from '../../../../../shared/text/csv.ts';
import * as table from '../../../../../shared/text/csv-table.ts';
import {
  type ImportField,
  type ImportRow,
  importFields,
} from '../../../../api/sales/import-file.ts';
import { findProblem, toPlainAmount } from '../sale-input.ts';
import { parseTime } from '../sale-time.ts';
import { salesTexts } from '../texts.ts';

const { problems: texts } = salesTexts;

/** Which column each field is in. */
export type Mapping = table.Mapping<ImportField>;

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

/** Finds the column of each field by its name. */
export const mapColumns = (columns: readonly string[]): Mapping =>
  table.mapColumns(importFields, columns);

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
  const { refundedAt: refunded = -1 } = table.mapColumns(['refundedAt'], columns);
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
    if (record.cells[refunded]?.trim()) found.push({ message: texts.refunded });
    const first = row.externalId === undefined ? undefined : lineOfId.get(row.externalId);
    if (first !== undefined) found.push({ field: 'externalId', message: texts.repeated(first) });
    else if (row.externalId !== undefined) lineOfId.set(row.externalId, record.line);
    return found;
  };
  return (record: CsvRecord): SaleLine => {
    const row = table.readRow(importFields, record, mapping);
    return { line: record.line, row, problems: findAll(record, row) };
  };
};

/** Checks all lines of a file. */
export const readLines = (
  { columns, records }: table.CsvTable,
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
