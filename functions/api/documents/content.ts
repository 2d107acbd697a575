import { tableName } from '../../../shared/db/dynamodb.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import type { Key } from '../../../shared/db/key.ts';
import { deleteItemWrite, type Write } from '../../../shared/db/transaction.ts';
import type { Alongside } from '../../../shared/records/sharing.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { readTexts, removeTexts, storeTexts } from '../../../shared/storage/stored-text.ts';
import type { ContentRef, StoredDocument } from './document.ts';
import { documentKeys } from './keys.ts';
import { packBeginning } from './text/beginning.ts';

const maxBytes = 2 * 1024 * 1024;

/** Lambda limits a response to 6 MB and escapes its JSON body a second time; the rest is for the record. */
const maxEscapedBytes = 5.5 * 1024 * 1024;

const contentTooLargeError = (message: string) =>
  new AppError('PAYLOAD_TOO_LARGE', `The content ${message}.`, {
    details: [{ field: 'content', message }],
  });

/**
 * Measures the content in bytes (UTF-8).
 * @throws AppError PAYLOAD_TOO_LARGE beyond 2 MB, or beyond the size of a response with its escapes; VALIDATION_ERROR for
 *   lone surrogates
 */
export const measureContent = (content: string | undefined): number => {
  if (content === undefined) return 0;
  if (!content.isWellFormed()) throw invalidField('content', 'must be well-formed Unicode');
  const size = Buffer.byteLength(content);
  if (size > maxBytes) throw contentTooLargeError('must be at most 2 MB (UTF-8)');
  if (Buffer.byteLength(JSON.stringify(JSON.stringify(content))) > maxEscapedBytes) {
    throw contentTooLargeError('is too large as JSON; shorten it');
  }
  return size;
};

/** Stored content: its reference and size for the record, and the write for the record's transaction. */
export interface StoredContent {
  readonly ref: ContentRef | undefined;
  readonly size: number;
  readonly write: Write | undefined;
  /** The compressed beginning of a content in the bucket, which a search reads instead. */
  readonly beginning?: Uint8Array;
}

/**
 * Stores the content.
 * @throws AppError as `measureContent`; errors of S3
 */
export const storeContent = async (
  id: number,
  content: string | undefined,
): Promise<StoredContent> => {
  const size = measureContent(content);
  if (content === undefined) return { ref: undefined, size, write: undefined };
  const { ref, write } = await storeTexts(documentKeys.content.at({ id }), { content });
  if (ref.place !== 'bucket') return { ref, size, write };
  const { packed, hash } = packBeginning(content);
  return { ref: { ...ref, beginning: hash }, size, write, beginning: packed };
};

/** Creates the write of the beginning, where the content would be if it were in the table, unless it is there already. */
const writeBeginning = (
  owner: Key,
  former: ContentRef | undefined,
  { ref, beginning }: Pick<StoredContent, 'ref' | 'beginning'>,
): Write | undefined => {
  if (ref?.place === 'table') return undefined;
  if (!beginning) return former?.beginning === undefined ? undefined : deleteItemWrite(owner);
  if (former?.place === 'bucket' && former.beginning === ref?.beginning) return undefined;
  return { Put: { TableName: tableName(), Item: { ...owner, packed: beginning } } };
};

/**
 * Creates the steps by which stored content replaces the former one, if any. What a revision keeps of that is its own or,
 * if it is in the bucket, its object: `isKept`.
 */
export const replaceContent = (
  { id, texts: former }: Pick<StoredDocument, 'id' | 'texts'>,
  next: StoredContent,
  isKept: boolean,
): Alongside => {
  const owner = documentKeys.content.at({ id });
  const isMoved = isKept && former?.place === 'bucket';
  // The beginning takes the place of a former content in the table.
  const isOverwritten = former?.place === 'table' && next.ref?.place === 'bucket';
  return [
    { write: next.write, refused: 'changed' },
    former && !isMoved && !isOverwritten ? removeTexts(owner, former, next.ref) : undefined,
    writeBeginning(owner, former, next),
  ];
};

/** Creates the writes that delete a document's content, for the transaction that deletes the document. */
export const removeContent = ({ id, texts }: StoredDocument): readonly (Write | undefined)[] => {
  const owner = documentKeys.content.at({ id });
  return [texts && removeTexts(owner, texts), writeBeginning(owner, texts, { ref: undefined })];
};

/**
 * Reads a document's content, `null` without one. `item` is the content's item, read together with the record. Returns
 * `undefined` if the content is gone because the document changed since.
 */
export const readContent = async (
  { id, texts }: StoredDocument,
  item: Item | undefined,
): Promise<string | null | undefined> => {
  if (!texts) return null;
  return (await readTexts(documentKeys.content.at({ id }), texts, ['content'], item))?.content;
};
