import type { Row } from '../../../shared/text/csv-table.ts';
import { textFieldNames } from './text-fields.ts';

/** The columns of a file of sales: the fields of the API. */
export const importFields = [
  'amount',
  'cost',
  'currency',
  ...textFieldNames,
  'soldAt',
  'externalId',
] as const;

export type ImportField = (typeof importFields)[number];

/** A line of a file as text, without what is empty. */
export type ImportRow = Row<ImportField>;

const hash = async (text: string): Promise<string> => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').slice(0, 22);
};

/**
 * Creates a function that names rows by their content and the number of equal rows before, so that importing a file again
 * creates the same ids. Name the rows one after the other.
 */
export const createRowIds = () => {
  const seen = new Map<string, number>();
  return async (row: ImportRow): Promise<string> => {
    // Without empty ones, so that a further field doesn't change the ids of files that lack it.
    const given = importFields.filter((field) => row[field]).map((field) => [field, row[field]]);
    const content = await hash(JSON.stringify(given));
    const count = (seen.get(content) ?? 0) + 1;
    seen.set(content, count);
    return `csv-${content}-${count}`;
  };
};
