import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { AppError } from '../../shared/errors.ts';
import { batchGet, type Key, keys } from '../../shared/table.ts';
import { putNew, removeItem, type Write } from '../../shared/transaction.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Below an item's 400 KB with room for its keys. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const partBytes = 380 * 1024;
/** Below a transaction's 4 MB with room for the small items. */
const maxBytes = 3.9 * 1024 * 1024;
const quality = 4;

/** The two texts of a share: what was sent, and for Markdown what it was rendered to. */
export interface Content {
  readonly source: string;
  readonly html?: string | undefined;
}

export type ContentKind = keyof Content;

/** How many items hold each text. */
export type PartCounts = Readonly<Record<ContentKind, number>>;

const pack = async (text: string | undefined): Promise<Buffer[]> => {
  if (text === undefined) return [];
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const packed = await compress(Buffer.from(text), { params });
  const parts: Buffer[] = [];
  for (let at = 0; at < packed.length; at += partBytes) {
    parts.push(packed.subarray(at, at + partBytes));
  }
  return parts;
};

/**
 * The writes that store a share's content, compressed and apart from its counter.
 * @throws AppError PAYLOAD_TOO_LARGE when it doesn't fit even so
 */
export const put = async (
  shareId: string,
  content: Content,
): Promise<{ readonly counts: PartCounts; readonly writes: Record<`content${string}`, Write> }> => {
  const [source, html] = await Promise.all([pack(content.source), pack(content.html)]);
  const bytes = [...source, ...html].reduce((sum, part) => sum + part.length, 0);
  if (bytes > maxBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', 'The content is too large, compressed as it is', {
      details: [{ field: 'content', message: 'must compress to less than 4 MB' }],
    });
  }
  const writes: Record<`content${string}`, Write> = {};
  for (const [kind, parts] of Object.entries({ source, html }) as [ContentKind, Buffer[]][]) {
    for (const [at, data] of parts.entries()) {
      writes[`content-${kind}-${at}`] = putNew(keys.shareContent(shareId, kind, at), { data });
    }
  }
  return { counts: { source: source.length, html: html.length }, writes };
};

const partKeys = (shareId: string, kind: ContentKind, counts: PartCounts): Key[] =>
  Array.from({ length: counts[kind] }, (_, at) => keys.shareContent(shareId, kind, at));

/** The writes that remove a share's content. */
export const remove = (shareId: string, counts: PartCounts): Record<`content${string}`, Write> =>
  Object.fromEntries(
    [...partKeys(shareId, 'source', counts), ...partKeys(shareId, 'html', counts)].map((key) => [
      `content ${key.sk}`,
      removeItem(key),
    ]),
  );

/** One text of a share; `undefined` when it is gone. */
export const read = async (
  shareId: string,
  kind: ContentKind,
  counts: PartCounts,
): Promise<string | undefined> => {
  const parts = await batchGet(partKeys(shareId, kind, counts));
  if (parts.length === 0 || parts.includes(undefined)) return undefined;
  const packed = Buffer.concat(parts.map((part) => part?.['data'] as Uint8Array));
  return (await decompress(packed)).toString();
};
