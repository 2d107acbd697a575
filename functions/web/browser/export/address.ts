/** The path of a list that can be taken out. */
export type ExportedPath = `/api/${'users' | 'sales' | 'audit' | 'shares'}/export`;

export type ExportFormat = 'csv' | 'ndjson';

/** The filters of a list, as the API takes them. */
export type ListQuery = Readonly<Record<string, string | undefined>>;

/** A list that is taken out. */
export interface ExportedList {
  readonly path: ExportedPath;
  readonly query: ListQuery;
  /** How many rows there are, if that is known. */
  readonly total: number | undefined;
}

/** Whether spreadsheets of this browser's language expect semicolons, because their decimal sign is a comma. */
const hasDecimalComma = (): boolean => (1.5).toLocaleString().includes(',');

/** Returns the query of a file of a list. */
export const toFileQuery = (
  query: ListQuery,
  format: ExportFormat,
): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ['format', format],
    ...(format === 'csv' && hasDecimalComma() ? [['separator', 'semicolon']] : []),
  ]);
