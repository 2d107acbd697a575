import { createRandomId } from '../../../../shared/db/ids.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { isMissing, loadBucket, toStorageError } from '../../../../shared/storage/bucket.ts';
import { startBytes } from './media.ts';

/*
 * S3 objects with the content of files. Users upload straight to `uploads/`, where a form can write until it expires.
 * Readers get objects below `files/`, where only the service writes and each key only once, so checked content can't
 * change.
 */

/** Creates a key below `files/`. */
export const createFileKey = (): string => `files/${createRandomId()}`;

/** Creates a key below `uploads/`. */
export const createUploadKey = (): string => `uploads/${createRandomId()}`;

const toHex = (base64: string | undefined): string =>
  Buffer.from(base64 ?? '', 'base64').toString('hex');

const toBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

const objectParams = (key: string) => ({ Bucket: getSetting('FILES_BUCKET'), Key: key });

/** A HEAD response has no body, so only its status indicates a missing object. */
const isMissingOnHead = (error: unknown): boolean => {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode === 404;
};

const isReplaced = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PreconditionFailed';

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');

/** Stores a file's content; S3 checks its SHA-256 (hex). */
export const storeFile = async (
  key: string,
  bytes: Uint8Array,
  checksum: string,
): Promise<void> => {
  const { s3, client } = await loadBucket();
  await client.send(
    new s3.PutObjectCommand({
      ...objectParams(key),
      Body: bytes,
      ChecksumSHA256: toBase64(checksum),
    }),
  );
};

/** The current version of an uploaded object. */
export interface Uploaded {
  readonly size: number;
  readonly etag: string;
}

/** Finds an uploaded object; `undefined` if there is none. */
export const findUploaded = async (key: string): Promise<Uploaded | undefined> => {
  const { s3, client } = await loadBucket();
  try {
    const { ContentLength = 0, ETag = '' } = await client.send(
      new s3.HeadObjectCommand(objectParams(key)),
    );
    return { size: ContentLength, etag: ETag };
  } catch (error) {
    if (isMissingOnHead(error)) return undefined;
    throw toStorageError(error);
  }
};

/** A copy within S3 took too long, because the object is large or S3 does not respond. */
export class CopyTimeoutError extends Error {
  override readonly name = 'CopyTimeoutError';
}

/**
 * Copies an uploaded object within a time limit and returns the SHA-256 (hex) of the copy; `undefined` if the object was
 * replaced. S3 may finish the copy after the limit.
 * @throws CopyTimeoutError; other errors of S3
 */
export const copyUploaded = async (
  from: string,
  { etag }: Uploaded,
  to: string,
  timeoutMs: number,
): Promise<string | undefined> => {
  const { s3, client } = await loadBucket();
  const command = new s3.CopyObjectCommand({
    ...objectParams(to),
    CopySource: `${getSetting('FILES_BUCKET')}/${from}`,
    CopySourceIfMatch: etag,
    ChecksumAlgorithm: 'SHA256',
    // Drops all metadata that the uploader has set.
    MetadataDirective: 'REPLACE',
    ContentType: 'application/octet-stream',
  });
  // An abort is final, whereas the client would retry after a request timeout.
  const limits = { requestTimeout: 2 * timeoutMs, abortSignal: AbortSignal.timeout(timeoutMs) };
  try {
    const { CopyObjectResult } = await client.send(command, limits);
    return toHex(CopyObjectResult?.ChecksumSHA256);
  } catch (error) {
    if (isMissing(error) || isReplaced(error)) return undefined;
    if (isTimeout(error)) throw new CopyTimeoutError('The copy took too long', { cause: error });
    throw toStorageError(error);
  }
};

/** Reads the first bytes of a file, enough to detect its type. */
export const readStart = async (key: string, size: number): Promise<Uint8Array> => {
  // S3 rejects a range of an empty object.
  if (size === 0) return new Uint8Array();
  const { s3, client } = await loadBucket();
  const { Body } = await client.send(
    new s3.GetObjectCommand({ ...objectParams(key), Range: `bytes=0-${startBytes - 1}` }),
  );
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
};

/** Response headers and lifetime of a signed download URL. */
export interface DownloadOptions {
  readonly disposition: string;
  readonly contentType: string;
  /** In seconds. */
  readonly expiresIn: number;
  /** Signs for HEAD, because S3 refuses it with a signature for GET. */
  readonly isHead: boolean;
}

/** Signs the download URL of a file, without a request to S3. */
export const signDownload = async (
  key: string,
  { disposition, contentType, expiresIn, isHead }: DownloadOptions,
): Promise<string> => {
  const { s3, signer } = await loadBucket();
  const Command = isHead ? s3.HeadObjectCommand : s3.GetObjectCommand;
  const command = new Command({
    ...objectParams(key),
    ResponseContentDisposition: disposition,
    ResponseContentType: contentType,
    ResponseCacheControl: 'private, no-store',
  });
  return s3.getSignedUrl(signer, command, { expiresIn });
};
