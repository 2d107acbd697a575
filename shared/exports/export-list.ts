import type { ChangeRecorder } from '../audit/audit-log.ts';
import { chooseEncoding } from '../http/content/compression.ts';
import { contentTypes, ndjsonType } from '../http/http.ts';
import { Reply } from '../http/reply.ts';
import { getTimeLeft } from '../runtime/time-left.ts';
import { describeFilters } from './describe-filters.ts';
import type { ExportQuery } from './export-query.ts';
import type { ListText } from './list-text.ts';
import { maxRows } from './max-rows.ts';
import { gzipParts, plainParts } from './parts.ts';

/** What an export has of its request. */
export interface ExportRequest {
  readonly query: Pick<ExportQuery, 'format' | 'cursor'>;
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
export const exportList = async (
  list: ListText,
  request: ExportRequest,
): Promise<Reply<string | Uint8Array>> => {
  const { query, headers, isHead, target, recorder } = request;
  const { format, cursor } = query;
  const toReply = (body: string | Uint8Array, next?: string, more = {}) =>
    new Reply(body, {
      headers: { ...toHeaders(list.name, request, next), ...more },
      hidesLength: true,
    });
  if (isHead) return toReply('');
  const isZipped = chooseEncoding(headers['accept-encoding'], ['gzip']) !== undefined;
  const parts = isZipped ? gzipParts() : plainParts();
  let bytes = await parts.add(cursor ? '' : list.head);
  let next = cursor || undefined;
  let rows = 0;
  let size = maxPageSize;
  let isWhole = false;
  for (let pages = 0; rows < maxRows && pages < maxPages; pages++) {
    if (pages > 0 && getTimeLeft() < leastMs) break;
    const page = await list.read({ cursor: next, size: Math.min(size, maxRows - rows) });
    if (bytes + Buffer.byteLength(page.text) > maxBytes) {
      if (rows > 0) break;
      size = Math.ceil(size / 2);
      continue;
    }
    bytes = await parts.add(page.text);
    rows += page.rows;
    isWhole = page.nextCursor === null;
    next = page.nextCursor ?? undefined;
    if (isWhole) break;
  }
  const following = isWhole ? undefined : next;
  if (following !== undefined && cursor === undefined) {
    await parts.add(list.toLastLine(incomplete, following));
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
