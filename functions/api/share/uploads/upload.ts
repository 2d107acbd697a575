import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { getPrefix } from '../files/objects.ts';
import { shareKeys } from '../record/keys.ts';

/** How long an upload can be added to and used. ms. */
export const uploadTtlMs = 24 * 3_600_000;

/** How many uploads a user can have at once. */
export const maxUploads = 5;

/** A file of an upload. */
export interface UploadFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** The number of its object, by which the name follows; absent for bytes that the share has already. */
  readonly object?: number;
}

/** Files that a user is sending ahead of a share, as stored. */
export interface StoredUpload {
  readonly id: string;
  readonly ownerId: number;
  /** The share that will have the files; a new one if it is not `ofExisting`. */
  readonly shareId: string;
  readonly ofExisting?: true;
  /** Compressed; see `unpackFiles`. */
  readonly packed: Uint8Array;
  /** How many objects it has, and their bytes, which are reserved. */
  readonly objects: number;
  readonly bytes: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly version: number;
}

/** Parses a stored upload. */
export const parseUpload = itemParser<StoredUpload>('upload', [
  'id',
  'ownerId',
  'shareId',
  'packed',
  'version',
]);

/** Compresses the files of an upload: paths repeat each other. */
export const packFiles = (files: readonly UploadFile[]): Uint8Array =>
  brotliCompressSync(JSON.stringify(files), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** Returns the files of an upload, in the order that they were announced in. */
export const unpackFiles = ({ packed }: StoredUpload): readonly UploadFile[] =>
  JSON.parse(brotliDecompressSync(packed).toString());

/** Returns the name of an object of an upload. */
export const getObjectName = ({ id }: Pick<StoredUpload, 'id'>, object: number): string =>
  `${id}-${object}`;

/** Returns what the keys of an upload’s objects begin with. */
export const getUploadPrefix = ({ id, shareId }: Pick<StoredUpload, 'id' | 'shareId'>): string =>
  `${getPrefix(shareId)}${id}-`;

/** Whether an upload can no longer be used, even if it is still stored. */
export const isExpired = ({ expiresAt }: StoredUpload): boolean =>
  Date.parse(expiresAt) <= Date.now();

/** Finds an upload of a user, whether it has expired or not. */
export const findUpload = async (
  ownerId: number,
  id: string,
): Promise<StoredUpload | undefined> => {
  const [item] = await batchGet([shareKeys.upload.at({ ownerId, id })]);
  return item && parseUpload(item);
};

/** Retries a change that returns `undefined` after a concurrent one. */
export const retryOnConflict = createRetry('The upload is being modified. Try again.');
