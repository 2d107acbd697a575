import type { CsvRecord } from '../../../../../shared/text/csv.ts';
import { type CsvTable, type Mapping, readRow } from '../../../../../shared/text/csv-table.ts';
import {
  type ImportField,
  type ImportRow,
  importFields,
} from '../../../../api/users/import/file.ts';
import { importTexts } from '../import-texts.ts';

const { lines: texts } = importTexts;

/** A line of the file. */
export interface UserLine {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly row: ImportRow;
  /** Why it can’t be read. */
  readonly problem?: string;
}

const findProblem = (
  { problem, cells }: CsvRecord,
  columns: readonly string[],
): string | undefined => {
  if (problem) return texts.unreadable[problem];
  return cells.length === columns.length ? undefined : texts.columns(columns.length, cells.length);
};

/** Reads the lines of a file. What they have is checked by the API. */
export const readLines = (
  { columns, records }: CsvTable,
  mapping: Mapping<ImportField>,
): readonly UserLine[] =>
  records.map((record) => {
    const problem = findProblem(record, columns);
    const row = readRow(importFields, record, mapping);
    return { line: record.line, row, ...(problem !== undefined && { problem }) };
  });

/** Splits a list into parts of a size. */
export const toBatches = <Item>(
  items: readonly Item[],
  size: number,
): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
