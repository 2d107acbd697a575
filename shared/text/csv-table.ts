import { type CsvRecord, findDelimiter, parseCsv } from './csv.ts';
import { withoutMark } from './write-csv.ts';

/** A CSV file whose first line names its columns. */
export interface CsvTable {
  readonly columns: readonly string[];
  readonly records: readonly CsvRecord[];
}

/** Which column each field is in. */
export type Mapping<Field extends string> = Readonly<Partial<Record<Field, number>>>;

/** A line as text, without what is empty. */
export type Row<Field extends string> = Partial<Record<Field, string>>;

/** Begins to read a file, of which the first line names the columns. The records are read as they are asked for. */
export const openTable = (text: string, delimiter = findDelimiter(text)) => {
  const records = parseCsv(text, delimiter);
  const columns = records.next().value?.cells.map((name) => name.trim()) ?? [];
  return { columns, records };
};

/** Reads a file. */
export const readTable = (text: string): CsvTable => {
  const { columns, records } = openTable(text);
  return { columns, records: [...records] };
};

/** Maps `Sold At`, `sold_at` and `soldAt` to the same text. */
const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** Finds the column of each field by its name. */
export const mapColumns = <Field extends string>(
  fields: readonly Field[],
  columns: readonly string[],
): Mapping<Field> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const at = columns.findIndex((column) => normalizeName(column) === normalizeName(field));
      return at === -1 ? [] : [[field, at]];
    }),
  ) as Mapping<Field>;

/** Reads the fields of a record, without the marks that exports set before texts like formulas. */
export const readRow = <Field extends string>(
  fields: readonly Field[],
  { cells }: CsvRecord,
  mapping: Mapping<Field>,
): Row<Field> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = withoutMark(cells[mapping[field] ?? -1]?.trim() ?? '');
      return text === '' ? [] : [[field, text]];
    }),
  ) as Row<Field>;
