import type * as z from 'zod';
import type { ChangeRecorder } from '../audit/audit-log.ts';
import { chooseEncoding } from '../http/content/compression.ts';
import { contentTypes, ndjsonType } from '../http/http.ts';
import { Reply } from '../http/reply.ts';
import type { PageRequest } from '../lists/pagination.ts';
import { getTimeLeft } from '../runtime/time-left.ts';
import { byteOrderMark, type CsvStyle, writeCsvLine } from '../text/write-csv.ts';
import type { Column } from './columns.ts';
import { describeFilters } from './describe-filters.ts';
import type { ExportQuery } from './export-query.ts';
import { maxRows } from './max-rows.ts';
import { gzipParts, plainParts } from './parts.ts';

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

/** What an export has of its request. */
export interface ExportRequest {
  readonly query: ExportQuery & Pick<PageRequest, 'sort'>;
  readonly headers: { readonly 'accept-encoding'?: string | undefined };
  readonly isHead: boolean;
  readonly target: string;
  readonly recorder: ChangeRecorder;
}

/** How many rows are read at once. */
const maxPageSize = 250;

/** Bounds the pages of a response: those of a filter may be short. */
const maxPages = 400;

/** The most bytes of a response as it is sent, before base64. Lambda takes 6 MB of that. */
const maxBytes = 4 * 1024 * 1024;

/** Time in ms for the audit entry and the answer. Without it, no further page is read. */
const leastMs = 4_000;

const types = { csv: contentTypes.rows, ndjson: ndjsonType } as const;

const styles: Readonly<Record<ExportQuery['separator'], CsvStyle>> = {
  comma: { delimiter: ',', decimal: '.' },
  semicolon: { delimiter: ';', decimal: ',' },
};

/** Writes the lines of a file. */
interface Lines<Row> {
  readonly head: string;
  toLine(row: Row): string;
  toLastLine(message: string, nextCursor: string): string;
}

const csvLines = <Row>({ columns }: ExportedList<Row>, style: CsvStyle): Lines<Row> => {
  const names = columns.map(([name]) => name);
  return {
    head: `${byteOrderMark}${writeCsvLine(names, style)}`,
    toLine: (row) =>
      writeCsvLine(
        columns.map(([, toCell]) => toCell(row)),
        style,
      ),
    toLastLine: (message) => writeCsvLine([message], style),
  };
};

const toJsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

const jsonLines = <Row>(): Lines<Row> => ({
  head: '',
  toLine: toJsonLine,
  toLastLine: (message, nextCursor) => toJsonLine({ incomplete: true, message, nextCursor }),
});

const incomplete =
  'This is not all: more rows follow. Narrow the filter, or go on with the parameter cursor, as the header X-Next-Cursor says.';

/** Returns the address of the next part, relative to this one. */
const toNextAddress = (target: string, cursor: string): string => {
  const [path = '', query] = target.split('?');
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return `${path}?${next}`;
};

const toHeaders = (
  name: string,
  { query: { format, cursor }, target }: ExportRequest,
  next: string | undefined,
): Readonly<Record<string, string>> => {
  const day = new Date().toISOString().slice(0, 10);
  const isPart = cursor !== undefined || next !== undefined;
  const header = format === 'csv' ? `; header=${cursor ? 'absent' : 'present'}` : '';
  return {
    'content-type': `${types[format]}${header}`,
    'content-disposition': `attachment; filename="${name}-${day}${isPart ? '-part' : ''}.${format}"`,
    ...(next !== undefined && {
      'x-next-cursor': next,
      link: `<${toNextAddress(target, next)}>; rel="next"`,
    }),
  };
};

/**
 * Takes out a list, up to 10,000 rows and 4 MB of what is sent. If more follow, headers name the next part, and unless the
 * caller asks for parts, the last line says so (decisions.md#exports). It is recorded before it is sent.
 * @throws AppError VALIDATION_ERROR about `cursor` or a filter
 */
export const exportList = async <Row>(
  list: ExportedList<Row>,
  request: ExportRequest,
): Promise<Reply<string | Uint8Array>> => {
  const { query, headers, isHead, target, recorder } = request;
  const { format, separator, cursor, sort } = query;
  const toReply = (body: string | Uint8Array, next?: string, more = {}) =>
    new Reply(body, {
      headers: { ...toHeaders(list.name, request, next), ...more },
      hidesLength: true,
    });
  if (isHead) return toReply('');
  const isZipped = chooseEncoding(headers['accept-encoding'], ['gzip']) !== undefined;
  const parts = isZipped ? gzipParts() : plainParts();
  const lines = format === 'csv' ? csvLines(list, styles[separator]) : jsonLines<Row>();
  let bytes = await parts.add(cursor ? '' : lines.head);
  let next = cursor || undefined;
  let rows = 0;
  let size = maxPageSize;
  let isWhole = false;
  for (let pages = 0; rows < maxRows && pages < maxPages; pages++) {
    if (pages > 0 && getTimeLeft() < leastMs) break;
    const page = await list.read({ cursor: next, sort, size: Math.min(size, maxRows - rows) });
    const text = page.items.map((item) => lines.toLine(list.row.parse(item))).join('');
    if (bytes + Buffer.byteLength(text) > maxBytes) {
      if (rows > 0) break;
      size = Math.ceil(size / 2);
      continue;
    }
    bytes = await parts.add(text);
    rows += page.items.length;
    isWhole = page.nextCursor === null;
    next = page.nextCursor ?? undefined;
    if (isWhole) break;
  }
  const following = isWhole ? undefined : next;
  if (following !== undefined && cursor === undefined) {
    await parts.add(lines.toLastLine(incomplete, following));
  }
  const body = await parts.end();
  await recorder.record({
    subject: `list:${list.name}`,
    after: {
      format,
      rows,
      filter: describeFilters(target.split('?')[1] ?? ''),
      ...(following !== undefined && { incomplete: true }),
    },
  });
  return toReply(body, following, {
    vary: 'accept-encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  });
};
