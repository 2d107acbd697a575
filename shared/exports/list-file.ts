import type { ExportNotes } from './export-maker.ts';
import type { ListText } from './list-text.ts';
import { maxFileRows } from './max-rows.ts';

/** How many rows are read at once. */
const pageSize = 250;

/** Bounds the pages of a file: those of a filter may be short. */
const maxPages = 20_000;

const notAll = (rows: number): string =>
  `The file has the first ${rows.toLocaleString('en')} rows. Narrow the filter for the others.`;

const encoder = new TextEncoder();

/**
 * Writes a list from its start, a page at a time, so that no more than that is in memory. Beyond 250,000 rows, the last line
 * and the notes say that more follow (decisions.md#exports).
 * @throws AppError VALIDATION_ERROR about a filter
 */
export async function* writeListFile(
  list: ListText,
  notes: ExportNotes,
  maxRows = maxFileRows,
): AsyncGenerator<Uint8Array> {
  if (list.head !== '') yield encoder.encode(list.head);
  let cursor: string | undefined;
  let rows = 0;
  for (let pages = 0; rows < maxRows && pages < maxPages; pages++) {
    const page = await list.read({ cursor, size: Math.min(pageSize, maxRows - rows) });
    rows += page.rows;
    notes.count(page.rows);
    if (page.rows > 0) yield encoder.encode(page.text);
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
  if (cursor === undefined) return;
  const message = notAll(rows);
  notes.leftOut(message);
  yield encoder.encode(list.toLastLine(message, cursor));
}
