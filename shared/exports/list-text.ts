import type * as z from 'zod';
import type { PageRequest } from '../lists/pagination.ts';
import { byteOrderMark, type CsvStyle, writeCsvLine } from '../text/write-csv.ts';
import type { Column } from './columns.ts';
import type { FileOptions } from './export-query.ts';

/** A list that can be taken out. */
export interface ExportedList<Row> {
  /** What it lists, such as `users`: begins names of files, and is what the audit log calls it. */
  readonly name: string;
  /** Its rows as the API shows them. */
  readonly row: z.ZodType<Row>;
  readonly columns: readonly Column<Row>[];
  /** Reads a page as the list does, of `size` rows at most. */
  read(request: PageRequest): Promise<{
    readonly items: readonly unknown[];
    readonly nextCursor: string | null;
  }>;
}

/** A page of a list as lines of a file. */
export interface TextPage {
  readonly text: string;
  readonly rows: number;
  readonly nextCursor: string | null;
}

/** A list as the lines of a file, whatever its rows are. */
export interface ListText {
  readonly name: string;
  /** Begins a file: the names of the columns of CSV. */
  readonly head: string;
  /**
   * Reads a page of `size` rows at most.
   * @throws AppError VALIDATION_ERROR about `cursor` or a filter
   */
  read(page: { readonly cursor?: string | undefined; readonly size: number }): Promise<TextPage>;
  /** Returns a line that no row is like, for a file that is not the whole list. */
  toLastLine(message: string, nextCursor: string): string;
}

const styles: Readonly<Record<FileOptions['separator'], CsvStyle>> = {
  comma: { delimiter: ',', decimal: '.' },
  semicolon: { delimiter: ';', decimal: ',' },
};

const toJsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

const csvLines = <Row>(columns: ExportedList<Row>['columns'], style: CsvStyle) => ({
  head: `${byteOrderMark}${writeCsvLine(
    columns.map(([name]) => name),
    style,
  )}`,
  toLine: (row: Row) =>
    writeCsvLine(
      columns.map(([, toCell]) => toCell(row)),
      style,
    ),
  toLastLine: (message: string) => writeCsvLine([message], style),
});

const jsonLines = {
  head: '',
  toLine: toJsonLine,
  toLastLine: (message: string, nextCursor: string) =>
    toJsonLine({ incomplete: true, message, nextCursor }),
};

/** How a list is written, and in which of its orders. */
export type TextOptions = FileOptions & Pick<PageRequest, 'sort'>;

/** Writes a list as CSV or NDJSON. */
export const toListText = <Row>(
  { name, row, columns, read }: ExportedList<Row>,
  { format, separator, sort }: TextOptions,
): ListText => {
  const { head, toLine, toLastLine } =
    format === 'csv' ? csvLines(columns, styles[separator]) : jsonLines;
  return {
    name,
    head,
    read: async ({ cursor, size }) => {
      const { items, nextCursor } = await read({ cursor, sort, size });
      const text = items.map((item) => toLine(row.parse(item))).join('');
      return { text, rows: items.length, nextCursor };
    },
    toLastLine,
  };
};
