import type { CsvCell } from '../text/write-csv.ts';

/** A column of CSV: its name, and what it has of a row. */
export type Column<Row> = readonly [name: string, toCell: (row: Row) => CsvCell];

type Field<Row> = {
  [Name in keyof Row]: Row[Name] extends CsvCell | readonly (string | number)[] ? Name : never;
}[keyof Row] &
  string;

/** Writes a list as words in one cell. */
export const toWords = (values: readonly (string | number)[]): string => values.join(' ');

/** Creates the columns of fields, in this order. A list is written as words. */
export const fieldColumns = <Row>(...names: readonly Field<Row>[]): readonly Column<Row>[] =>
  names.map((name) => [
    name,
    (row) => {
      const value = row[name] as CsvCell | readonly (string | number)[];
      return typeof value === 'object' && value !== null ? toWords(value) : value;
    },
  ]);
