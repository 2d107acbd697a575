import type { Item } from '../../../shared/db/item-parser.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import type { Alongside } from '../../../shared/records/sharing.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import {
  readTexts,
  removeTexts,
  storeTexts,
  type TextsRef,
} from '../../../shared/storage/stored-text.ts';
import type { StoredDocument } from './document.ts';
import { documentKeys } from './keys.ts';

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

/** Stored content: its reference and size for the record, and the steps for the record's transaction. */
export interface StoredContent {
  readonly ref: TextsRef | undefined;
  readonly size: number;
  readonly steps: Alongside;
}

/**
 * Stores the content, replacing the former one, if any.
 * @throws AppError as `measureContent`; errors of S3
 */
export const storeContent = async (
  id: number,
  content: string | undefined,
  former?: TextsRef,
): Promise<StoredContent> => {
  const size = measureContent(content);
  const owner = documentKeys.content.at({ id });
  const stored = content === undefined ? undefined : await storeTexts(owner, { content });
  return {
    ref: stored?.ref,
    size,
    steps: [
      { write: stored?.write, refused: 'changed' },
      former && removeTexts(owner, former, stored?.ref),
    ],
  };
};

/** Creates the write that deletes a document's content, for the transaction that deletes the document. */
export const removeContent = ({ id, texts }: StoredDocument): Write | undefined =>
  texts && removeTexts(documentKeys.content.at({ id }), texts);

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
