import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { fieldColumns } from '../../../shared/exports/columns.ts';
import { writeListFile } from '../../../shared/exports/list-file.ts';
import { toListText } from '../../../shared/exports/list-text.ts';

const Row = z.object({ id: z.int() });

/** Writes the file of a list of numbers, whose cursors are numbers, too; `isShown`: those that a filter finds. */
const write = async (
  count: number,
  {
    format = 'csv' as const as 'csv' | 'ndjson',
    maxRows = 1_000,
    isShown = (_: number): boolean => true,
  } = {},
) => {
  const read = vi.fn(async ({ cursor, size = 10 }: { cursor?: string; size?: number }) => {
    const from = Number(cursor ?? 0);
    const ids = Array.from({ length: Math.min(size, count - from) }, (_, at) => from + at);
    const next = from + size;
    const items = ids.filter(isShown).map((id) => ({ id, secret: 'x' }));
    return { items, nextCursor: next < count ? String(next) : null };
  });
  const list = {
    name: 'things',
    row: Row,
    columns: fieldColumns<z.output<typeof Row>>('id'),
    read,
  };
  const notes = { rows: 0, leftOut: [] as string[] };
  const chunks: Uint8Array[] = [];
  const text = toListText(list as never, { format, separator: 'comma' });
  const file = writeListFile(
    text,
    {
      count: (rows) => {
        notes.rows += rows;
      },
      leftOut: (sentence) => {
        notes.leftOut.push(sentence);
      },
    },
    maxRows,
  );
  for await (const chunk of file) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString().split(/\r?\n/).slice(0, -1);
  return { lines, notes, reads: read.mock.calls.length, chunks: chunks.length };
};

describe('the file of a list', () => {
  it('has a mark for spreadsheets, a header and all rows, a page at a time', async () => {
    const { lines, notes, reads, chunks } = await write(600);
    expect(lines).toEqual(['\uFEFFid', ...Array.from({ length: 600 }, (_, id) => String(id))]);
    expect(notes).toEqual({ rows: 600, leftOut: [] });
    expect([reads, chunks]).toEqual([3, 4]);
  });

  it('has an object on each line of NDJSON, without other fields', async () => {
    expect((await write(2, { format: 'ndjson' })).lines).toEqual(['{"id":0}', '{"id":1}']);
  });

  it('is a header alone, or empty, of an empty list', async () => {
    expect((await write(0)).lines).toEqual(['\uFEFFid']);
    expect((await write(0, { format: 'ndjson' })).lines).toEqual([]);
  });

  it('goes on over pages that are short or empty by a filter', async () => {
    const { lines, notes } = await write(900, { isShown: (id) => id % 500 === 499 });
    expect(lines).toEqual(['\uFEFFid', '499']);
    expect(notes.rows).toBe(1);
  });

  it('is whole with exactly as many rows as it may have', async () => {
    const { lines, notes } = await write(1_000);
    expect(lines).toHaveLength(1_001);
    expect(notes.leftOut).toEqual([]);
  });

  it('says in its last line and its notes that more follow', async () => {
    const text = 'The file has the first 1,000 rows. Narrow the filter for the others.';
    const { lines, notes } = await write(1_001);
    expect(lines).toHaveLength(1_002);
    expect(lines.at(-1)).toBe(`"${text}"`);
    expect(notes).toEqual({ rows: 1_000, leftOut: [text] });
    const { lines: objects } = await write(1_001, { format: 'ndjson' });
    expect(JSON.parse(objects.at(-1) ?? '')).toEqual({
      incomplete: true,
      message: text,
      nextCursor: '1000',
    });
  });
});
