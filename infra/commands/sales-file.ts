import { createHash } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { type CsvError, parse } from 'csv-parse';
import { CommandError } from './command.ts';

/** The columns that are read, by the names of the API's fields. */
const fields = [
  'amount',
  'cost',
  'currency',
  'customer',
  'category',
  'soldAt',
  'externalId',
] as const;

type Field = (typeof fields)[number];

/** A sale as a line of the file says it; `externalId` is there always. */
export type SaleLine = Partial<Record<Field, string>> & { readonly externalId: string };

/** One record of the file, which ends on this line (counted from 1): a sale, or why it is none. */
export type FileLine = { readonly line: number } & (
  | { readonly sale: SaleLine }
  | { readonly problem: string }
);

/** No record has more characters: a quote that is never closed would take in the whole file. */
const maxRecordSize = 64 * 1024;

/** `Sold At`, `sold_at` and `soldAt` are the same. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/**
 * The fields by their columns; columns of other names are left out.
 * @throws CommandError when a column is missing or there twice
 */
const readColumns = (header: readonly string[]): (Field | false)[] => {
  const columns = header.map((name) => fields.find((field) => plain(field) === plain(name)));
  const twice = columns.find((field, at) => field && columns.indexOf(field) !== at);
  if (twice) throw new CommandError(`There are two columns ${twice} in the first line.`);
  for (const field of ['amount', 'soldAt'] as const) {
    if (!columns.includes(field)) {
      throw new CommandError(
        `There is no column ${field} in the first line, which names the columns: ${fields.join(', ')}.`,
      );
    }
  }
  return columns.map((field) => field ?? false);
};

/**
 * Names a sale that has no name by what its line says, and by how many of the same came before: the same file names them
 * the same again.
 */
const naming = () => {
  const seen = new Map<string, number>();
  return (row: Partial<Record<Field, string>>): string => {
    const text = JSON.stringify(fields.map((field) => row[field] ?? ''));
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `csv-${hash}-${count}`;
  };
};

const findProblem = (row: Partial<Record<Field, string>>): string | undefined => {
  // The decoder puts this in place of what is no UTF-8.
  if (Object.values(row).some((text) => text.includes('\ufffd'))) return 'is not UTF-8';
  return row.soldAt === undefined ? 'soldAt: is required' : undefined;
};

/** What the parser says of a record, without how it is set up. */
const explain = ({ code, message }: CsvError): string => {
  if (code === 'CSV_RECORD_INCONSISTENT_COLUMNS') return 'has another number of columns';
  if (code === 'CSV_MAX_RECORD_SIZE') return 'is too long: is a quote not closed?';
  return `is not CSV: ${message.split(':')[0]}`;
};

/**
 * The records of a CSV file with a header line, in their order, read as they are asked for; quotes, a byte order mark and
 * empty lines are understood. A record that is broken is told as such, and those after it are read.
 * @throws CommandError when the header line will not do
 */
export async function* readSales(file: ReadStream, delimiter: string): AsyncGenerator<FileLine> {
  const nameOf = naming();
  const broken: FileLine[] = [];
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
      if (error) broken.push({ line: Number(error['lines']), problem: explain(error) });
      return undefined;
    },
  });
  file.on('error', (error) => parser.destroy(error));
  file.pipe(parser);
  for await (const { info, record } of parser) {
    yield* broken.splice(0);
    const given = Object.entries(record as Record<Field, string>).filter(([, text]) => text !== '');
    const row: Partial<Record<Field, string>> = Object.fromEntries(given);
    const problem = findProblem(row);
    const line = Number(info.lines);
    yield problem === undefined
      ? { line, sale: { ...row, externalId: row.externalId ?? nameOf(row) } }
      : { line, problem };
  }
  if (!hasHeader) throw new CommandError('The file is empty.');
  yield* broken;
}
