import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import type { AuditedChange, ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { fieldColumns } from '../../../shared/exports/columns.ts';
import {
  type ExportRequest,
  exportList as exportText,
} from '../../../shared/exports/export-list.ts';
import { type ExportedList, toListText } from '../../../shared/exports/list-text.ts';
import type { Reply } from '../../../shared/http/reply.ts';
import { runWithin } from '../../../shared/runtime/time-left.ts';

const Row = z.object({ id: z.int(), text: z.string() });
type Row = z.output<typeof Row>;

/** A list of rows by number, whose cursors are numbers, too. */
const listOf = (count: number, toText: (id: number) => string = String) => {
  const read = vi.fn(
    async ({ cursor, size = 10 }: { cursor?: string | undefined; size?: number | undefined }) => {
      const from = Number(cursor ?? 0);
      const ids = Array.from({ length: Math.min(size, count - from) }, (_, at) => from + at);
      const next = from + size;
      return {
        items: ids.map((id) => ({ id, text: toText(id), secret: 'x' })),
        nextCursor: next < count ? String(next) : null,
      };
    },
  );
  return { name: 'things', row: Row, columns: fieldColumns<Row>('id', 'text'), read };
};

const recorded: AuditedChange[] = [];
const recorder = {
  record: async (done: AuditedChange) => {
    recorded.push(done);
  },
} as unknown as ChangeRecorder;

const exportList = (list: ExportedList<Row>, request: ExportRequest) =>
  exportText(toListText(list, { separator: 'comma', ...request.query }), request);

const ask = (query: Partial<ExportRequest['query']> = {}, more: Partial<ExportRequest> = {}) => ({
  query: { format: 'csv' as const, ...query },
  headers: {},
  isHead: false,
  target: '/api/things/export?role=a%20b&format=csv',
  recorder,
  ...more,
});

const linesOf = (body: unknown) => String(body).split(/\r?\n/).slice(0, -1);

describe('an export', () => {
  it('has a mark for spreadsheets, a header and all rows', async () => {
    const { body, headers } = await exportList(listOf(3), ask());
    expect(body).toBe('\uFEFFid,text\r\n0,0\r\n1,1\r\n2,2\r\n');
    expect(headers).toEqual({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="things-\d{4}-\d\d-\d\d\.csv"$/,
      ),
      vary: 'accept-encoding',
    });
  });

  it('has an object of the API on each line of NDJSON, without other fields', async () => {
    const { body, headers } = await exportList(listOf(2), ask({ format: 'ndjson' }));
    expect(body).toBe('{"id":0,"text":"0"}\n{"id":1,"text":"1"}\n');
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  });

  it('is recorded with its filters and the number of rows', async () => {
    recorded.length = 0;
    await exportList(listOf(3), ask());
    expect(recorded).toEqual([
      { subject: 'list:things', after: { format: 'csv', rows: 3, filter: 'role=a b' } },
    ]);
  });

  it('ends after 10,000 rows, and says so in headers, the name and the last line', async () => {
    const list = listOf(10_001);
    const { body, headers } = await exportList(list, ask());
    const lines = linesOf(body);
    expect(lines).toHaveLength(10_002);
    expect(lines.at(-2)).toBe('9999,9999');
    expect(lines.at(-1)).toMatch(/^"?This is not all: /);
    expect(headers).toMatchObject({
      'x-next-cursor': '10000',
      link: '</api/things/export?role=a+b&format=csv&cursor=10000>; rel="next"',
      'content-disposition': expect.stringContaining('-part.csv"'),
    });
    expect(list.read).toHaveBeenCalledTimes(40);
    expect(recorded.at(-1)?.after).toMatchObject({ rows: 10_000, incomplete: true });
  });

  it('ends NDJSON with a line that no row is like', async () => {
    const { body } = await exportList(listOf(10_001), ask({ format: 'ndjson' }));
    expect(JSON.parse(linesOf(body).at(-1) ?? '')).toEqual({
      incomplete: true,
      message: expect.stringContaining('not all'),
      nextCursor: '10000',
    });
  });

  it('is whole with exactly 10,000 rows', async () => {
    const { headers } = await exportList(listOf(10_000), ask());
    expect(headers['x-next-cursor']).toBeUndefined();
  });

  it('makes one file of parts: only the first has a header, and no line speaks of others', async () => {
    const list = listOf(25_000);
    const parts: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const { body, headers }: Reply<unknown> = await exportList(list, ask({ cursor }));
      parts.push(String(body));
      cursor = headers['x-next-cursor'];
    }
    expect(parts).toHaveLength(3);
    const expected = Array.from({ length: 25_000 }, (_, id) => `${id},${id}`);
    expect(linesOf(parts.join(''))).toEqual(['\uFEFFid,text', ...expected]);
  });

  it('keeps a response below 4 MB by leaving whole pages for the next part', async () => {
    const list = listOf(10_000, () => 'x'.repeat(1_000));
    const { body, headers } = await exportList(list, ask({ cursor: '' }));
    expect(Buffer.byteLength(String(body))).toBeLessThanOrEqual(4 * 1_024 * 1_024);
    expect(headers['x-next-cursor']).toBe('4000');
    const next = await exportList(list, ask({ cursor: '4000' }));
    expect(linesOf(next.body)[0]).toMatch(/^4000,/);
  });

  it('reads smaller pages if one alone is too large', async () => {
    const list = listOf(300, () => 'x'.repeat(50_000));
    const { body, headers } = await exportList(list, ask({ cursor: '' }));
    expect(Buffer.byteLength(String(body))).toBeLessThanOrEqual(4 * 1_024 * 1_024);
    expect(Number(headers['x-next-cursor'])).toBe(linesOf(body).length - 1);
  });

  it('has more in a response for clients that take gzip', async () => {
    const list = listOf(10_000, (id) => `${id} `.repeat(200));
    const { body, headers } = await exportList(
      list,
      ask({}, { headers: { 'accept-encoding': 'br, gzip' } }),
    );
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(headers['x-next-cursor']).toBeUndefined();
    expect((body as Uint8Array).length).toBeLessThan(4 * 1_024 * 1_024);
    expect(linesOf(gunzipSync(body as Uint8Array).toString())).toHaveLength(10_001);
  });

  it('reads no further page when its function has little time left', async () => {
    const list = listOf(1_000);
    const context = { ...lambdaContext('test', 10_000), getRemainingTimeInMillis: () => 4_000 };
    const { headers } = await runWithin(context, () => exportList(list, ask()));
    expect(list.read).toHaveBeenCalledTimes(1);
    expect(headers['x-next-cursor']).toBe('250');
  });

  it('reads and records nothing for HEAD, and tells no length', async () => {
    const list = listOf(3);
    recorded.length = 0;
    const reply = await exportList(list, ask({}, { isHead: true }));
    expect(list.read).not.toHaveBeenCalled();
    expect(recorded).toEqual([]);
    expect(reply).toMatchObject({ body: '', hidesLength: true });
    expect(reply.headers['content-type']).toContain('text/csv');
  });
});
