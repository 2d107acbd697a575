import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import type { imageTypes } from '../../../../shared/http/http.ts';
import type { StoredFile } from './file.ts';
import { fileKeys } from './keys.ts';

/** In bytes. A picture of 160 pixels fits, and the item takes 13 write units at most. */
export const maxThumbnailBytes = 12 * 1024;

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text;

/** Returns the media type of a thumbnail by its first bytes; `undefined` if it is no WebP, JPEG or PNG. */
export const getThumbnailType = (bytes: Uint8Array): (typeof imageTypes)[number] | undefined => {
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return 'image/webp';
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg';
  return startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') ? 'image/png' : undefined;
};

/** Creates the write that stores the thumbnail of a file, for the transaction that marks its record. */
export const thumbnailWrite = (id: number, bytes: Uint8Array): Write => ({
  Put: { TableName: tableName(), Item: { ...fileKeys.thumbnail.at({ id }), bytes } },
});

/** Creates the write that deletes a thumbnail, for the transaction that removes its file. */
export const thumbnailDeletion = (
  { id, hasThumbnail }: StoredFile,
  after: StoredFile | undefined,
): Write | undefined => {
  const isRemoved = after === undefined || after.status === 'removed';
  return hasThumbnail && isRemoved ? deleteItemWrite(fileKeys.thumbnail.at({ id })) : undefined;
};

/** Reads the thumbnail of a file; `undefined` if it has none. Who may see it is for the caller to check. */
export const findThumbnail = async (id: number): Promise<Uint8Array | undefined> => {
  const [item] = await batchGet([fileKeys.thumbnail.at({ id })]);
  return item?.['bytes'] as Uint8Array | undefined;
};
