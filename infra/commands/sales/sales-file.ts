import { createRowIds } from '../../../functions/api/sales/import-file.ts';
import {
  createLineReader,
  mapColumns,
  toBody,
} from '../../../functions/web/site/sales/import/lines.ts';
import { importTexts } from '../../../functions/web/site/sales/texts.ts';
import { openTable } from '../../../shared/text/csv-table.ts';
import { decodeText } from '../../../shared/text/decode.ts';
import { CommandError } from '../command.ts';

/** A sale as the API takes it, with a generated `externalId` if the file has none. */
export type SaleBody = ReturnType<typeof toBody>;

/** A record of the file that begins on this line (counted from 1): a sale, or the reason why it is invalid. */
export type FileLine = { readonly line: number } & (
  | { readonly sale: SaleBody }
  | { readonly problem: string }
);

/**
 * Checks the columns.
 * @throws CommandError for a missing or duplicate one
 */
const mapAll = (columns: readonly string[]) => {
  if (columns.length === 0) throw new CommandError(importTexts.empty);
  const mapping = mapColumns(columns);
  for (const field of ['amount', 'soldAt'] as const) {
    if (mapping[field] === undefined) {
      throw new CommandError(`Missing column ${field}. Found: ${columns.join(', ')}.`);
    }
  }
  const others = columns.map((column, at) => (Object.values(mapping).includes(at) ? '' : column));
  const [duplicate] = Object.keys(mapColumns(others));
  if (duplicate !== undefined) throw new CommandError(`Duplicate column ${duplicate}.`);
  return mapping;
};

/**
 * Reads a CSV file as the page of sales does, in order and on demand. Yields an invalid record with its problems, then
 * continues.
 * @throws CommandError for a file that isn’t text or lacks a column
 */
export async function* readSales(
  bytes: Uint8Array<ArrayBuffer>,
  delimiter: string | undefined,
): AsyncGenerator<FileLine, undefined> {
  const decoded = decodeText(bytes);
  if (!decoded) throw new CommandError(importTexts.notText);
  const { text, encoding } = decoded;
  if (encoding !== undefined) process.stderr.write(`${importTexts.readAs(encoding)}\n`);
  const { columns, records } = openTable(text, delimiter);
  const readLine = createLineReader(columns, mapAll(columns), undefined);
  const createRowId = createRowIds();
  for (const record of records) {
    const { line, row, problems } = readLine(record);
    if (problems.length > 0) {
      const all = problems.map(({ field, message }) => (field ? `${field}: ${message}` : message));
      yield { line, problem: all.join('; ') };
      continue;
    }
    const externalId = row.externalId ?? (await createRowId(row));
    yield { line, sale: toBody({ ...row, externalId }) };
  }
}
