import { keys } from '../../../shared/db/table.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import {
  readTexts,
  removeTexts,
  storeTexts,
  type TextsRef,
} from '../../../shared/storage/stored-text.ts';
import type { StoredDocument } from './document.ts';

const maxBytes = 2 * 1024 * 1024;

/** Of the 6 MB of an answer of Lambda's, which escapes a body that is escaped JSON already; the rest is for the record. */
const maxEscapedBytes = 5.5 * 1024 * 1024;

const contentTooLargeError = (message: string) =>
  new AppError('PAYLOAD_TOO_LARGE', `The content is too large: it ${message}`, {
    details: [{ field: 'content', message }],
  });

/**
 * The size of a content in bytes of UTF-8.
 * @throws AppError PAYLOAD_TOO_LARGE past 2 MB, or past what an answer holds with its escapes; VALIDATION_ERROR for what
 *   UTF-8 can't hold
 */
export const measureContent = (content: string | undefined): number => {
  if (content === undefined) return 0;
  if (!content.isWellFormed()) throw invalidField('content', 'must be well-formed Unicode');
  const size = Buffer.byteLength(content);
  if (size > maxBytes) throw contentTooLargeError('must have at most 2 MB of UTF-8');
  if (Buffer.byteLength(JSON.stringify(JSON.stringify(content))) > maxEscapedBytes) {
    throw contentTooLargeError('must have fewer characters that JSON escapes');
  }
  return size;
};

/** A content that is stored, or about to be: what the record keeps of it, and the writes for its transaction. */
export interface StoredContent {
  readonly ref: TextsRef | undefined;
  readonly size: number;
  readonly writes: Readonly<Record<string, Write>>;
}

/**
 * Stores a content in place of the former one, if there is one.
 * @throws AppError as `sizeOf`; what S3 throws
 */
export const storeContent = async (
  id: number,
  content: string | undefined,
  former?: TextsRef,
): Promise<StoredContent> => {
  const size = measureContent(content);
  const owner = keys.documentContent(id);
  const stored = content === undefined ? undefined : await storeTexts(owner, { content });
  return {
    ref: stored?.ref,
    size,
    writes: { ...stored?.writes, ...(former && removeTexts(owner, former, stored?.ref)) },
  };
};

/** The writes that remove a document's content, for the transaction that removes the document. */
export const removeContent = ({ id, texts }: StoredDocument): Readonly<Record<string, Write>> =>
  texts ? removeTexts(keys.documentContent(id), texts) : {};

/**
 * A document's content, `null` where it has none. `item` is the item of the table that was read along with the record.
 * Answers `undefined` when it is no longer there, because the document was changed since.
 */
export const readContent = async (
  { id, texts }: StoredDocument,
  item: Record<string, unknown> | undefined,
): Promise<string | null | undefined> => {
  if (!texts) return null;
  return (await readTexts(keys.documentContent(id), texts, ['content'], item))?.content;
};
