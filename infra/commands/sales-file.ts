import type { ReadStream } from 'node:fs';
import { type CsvError, parse } from 'csv-parse';
import {
  createRowIds,
  findField,
  type ImportField,
  type ImportRow,
} from '../../functions/api/sales/import-file.ts';
import { CommandError } from './command.ts';

/** A sale as text, with a generated `externalId` if the file has none. */
export type SaleLine = ImportRow & { readonly externalId: string };

/** A record of the file that ends on this line (counted from 1): a sale, or the reason why it is invalid. */
export type FileLine = { readonly line: number } & (
  | { readonly sale: SaleLine }
  | { readonly problem: string }
);

/** Characters. Without a limit an unclosed quote would read the whole file as one record. */
const maxRecordSize = 64 * 1024;

/**
 * Returns the field of each column, or false for an unknown column.
 * @throws CommandError for a missing or duplicate column
 */
const readColumns = (header: readonly string[]): (ImportField | false)[] => {
  const columns = header.map(findField);
  const duplicate = columns.find((field, at) => field && columns.indexOf(field) !== at);
  if (duplicate) throw new CommandError(`Duplicate column ${duplicate}.`);
  for (const field of ['amount', 'soldAt'] as const) {
    if (!columns.includes(field)) {
      throw new CommandError(`Missing column ${field}. Found: ${header.join(', ')}.`);
    }
  }
  return columns.map((field) => field ?? false);
};

const findProblem = (row: ImportRow): string | undefined => {
  // The decoder replaces invalid UTF-8 by this character.
  if (Object.values(row).some((text) => text.includes('\ufffd'))) return 'is not UTF-8';
  return row.soldAt === undefined ? 'soldAt: is required' : undefined;
};

/** Describes a parser error without the parser's options. */
const describeError = ({ code, message }: CsvError): string => {
  if (code === 'CSV_RECORD_INCONSISTENT_COLUMNS') return 'has a different number of columns';
  if (code === 'CSV_MAX_RECORD_SIZE') return 'is too long; check for an unclosed quote';
  return `is not valid CSV: ${message.split(':')[0]}`;
};

/**
 * Reads the records of a CSV file with a header line, in order and on demand. Supports quotes, a byte order mark and empty
 * lines. Yields an invalid record with its problem, then continues.
 * @throws CommandError for an invalid header line
 */
export async function* readSales(file: ReadStream, delimiter: string): AsyncGenerator<FileLine> {
  const createRowId = createRowIds();
  const invalid: FileLine[] = [];
  let hasHeader = false;
  const parser = parse({
    bom: true,
    columns: (header: readonly string[]) => {
      hasHeader = true;
      return readColumns(header);
    },
    delimiter,
    info: true,
    trim: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxRecordSize,
    on_skip: (error) => {
      if (error) invalid.push({ line: Number(error['lines']), problem: describeError(error) });
      return undefined;
    },
  });
  file.on('error', (error) => parser.destroy(error));
  file.pipe(parser);
  for await (const { info, record } of parser) {
    yield* invalid.splice(0);
    const given = Object.entries(record as Record<ImportField, string>).filter(
      ([, text]) => text !== '',
    );
    const row: ImportRow = Object.fromEntries(given);
    const problem = findProblem(row);
    const line = Number(info.lines);
    yield problem === undefined
      ? { line, sale: { ...row, externalId: row.externalId ?? (await createRowId(row)) } }
      : { line, problem };
  }
  if (!hasHeader) throw new CommandError('The file is empty.');
  yield* invalid;
}
