import { createRandomId } from '../../../../shared/db/ids.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { isMissing, loadBucket } from '../../../../shared/storage/bucket.ts';
import { startBytes } from './media.ts';

/*
 * Objects with the bytes of files. What a user uploads straight to S3 goes to `uploads/`, where the form of that upload may
 * write until it expires. What readers get lies below `files/`, where nobody but the service writes, and no key twice: so
 * the bytes that were checked stay as they are.
 */

/** A new key below `files/`. */
export const newFileKey = (): string => `files/${createRandomId()}`;

/** A new key below `uploads/`. */
export const newUploadKey = (): string => `uploads/${createRandomId()}`;

const toHex = (base64: string | undefined): string =>
  Buffer.from(base64 ?? '', 'base64').toString('hex');

const toBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

const at = (key: string) => ({ Bucket: getSetting('FILES_BUCKET'), Key: key });

/** What S3 answers to HEAD has no words: a missing object is told by the status alone. */
const isMissingToHead = (error: unknown): boolean => {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode === 404 || $metadata?.httpStatusCode === 403;
};

const isReplaced = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PreconditionFailed';

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');

/** Stores a file's bytes, whose SHA-256 (hex) S3 checks. */
export const storeFile = async (
  key: string,
  bytes: Uint8Array,
  checksum: string,
): Promise<void> => {
  const { s3, client } = await loadBucket();
  await client.send(
    new s3.PutObjectCommand({ ...at(key), Body: bytes, ChecksumSHA256: toBase64(checksum) }),
  );
};

/** An uploaded object as it is now. */
export interface Uploaded {
  readonly size: number;
  readonly etag: string;
}

/** What was uploaded; `undefined` where nothing was. */
export const findUploaded = async (key: string): Promise<Uploaded | undefined> => {
  const { s3, client } = await loadBucket();
  try {
    const { ContentLength = 0, ETag = '' } = await client.send(new s3.HeadObjectCommand(at(key)));
    return { size: ContentLength, etag: ETag };
  } catch (error) {
    if (isMissingToHead(error)) return undefined;
    throw error;
  }
};

/** A copy within S3 that takes longer than it was given, because the object is large or S3 does not answer. */
export class CopyTimeoutError extends Error {
  override readonly name = 'CopyTimeoutError';
}

/**
 * Copies what was uploaded, as it was found, to where nobody overwrites it, within so many ms in all, and answers the
 * SHA-256 (hex) of the copy; `undefined` where it is another by now. S3 may go on with a copy that is late.
 * @throws CopyTimeoutError; what else S3 throws
 */
export const copyUploaded = async (
  from: string,
  { etag }: Uploaded,
  to: string,
  ms: number,
): Promise<string | undefined> => {
  const { s3, client } = await loadBucket();
  const command = new s3.CopyObjectCommand({
    ...at(to),
    CopySource: `${getSetting('FILES_BUCKET')}/${from}`,
    CopySourceIfMatch: etag,
    ChecksumAlgorithm: 'SHA256',
    // Nothing of what the uploader said of it.
    MetadataDirective: 'REPLACE',
    ContentType: 'application/octet-stream',
  });
  // The signal ends it, after which nothing is tried again; what is only late would be.
  const bounds = { requestTimeout: 2 * ms, abortSignal: AbortSignal.timeout(ms) };
  try {
    const { CopyObjectResult } = await client.send(command, bounds);
    return toHex(CopyObjectResult?.ChecksumSHA256);
  } catch (error) {
    if (isMissing(error) || isReplaced(error)) return undefined;
    if (isTimeout(error)) throw new CopyTimeoutError('The copy takes too long', { cause: error });
    throw error;
  }
};

/** The first bytes of a file of this size, enough to tell its type. */
export const readStart = async (key: string, size: number): Promise<Uint8Array> => {
  // Of nothing there is no range.
  if (size === 0) return new Uint8Array();
  const { s3, client } = await loadBucket();
  const { Body } = await client.send(
    new s3.GetObjectCommand({ ...at(key), Range: `bytes=0-${startBytes - 1}` }),
  );
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
};

/** A form that uploads one file: its fields come first, in any order, then the part `file`. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What the form of an upload allows, and nothing else. */
export interface UploadTerms {
  readonly size: number;
  readonly contentType: string;
  /** SHA-256, in hex. */
  readonly checksum: string | undefined;
  /** In seconds. */
  readonly expiresIn: number;
}

/** Signs the form of an upload to this key. Nothing is asked of S3. */
export const signUpload = async (
  key: string,
  { size, contentType, checksum, expiresIn }: UploadTerms,
): Promise<UploadForm> => {
  const { s3, client } = await loadBucket();
  return s3.createPresignedPost(client, {
    ...at(key),
    Conditions: [['content-length-range', size, size]],
    Fields: {
      'Content-Type': contentType,
      success_action_status: '201',
      ...(checksum !== undefined && {
        'x-amz-checksum-algorithm': 'SHA256',
        'x-amz-checksum-sha256': toBase64(checksum),
      }),
    },
    Expires: expiresIn,
  });
};

/** How a file is answered that is read by a signed URL. */
export interface DownloadTerms {
  readonly disposition: string;
  readonly contentType: string;
  /** In seconds. */
  readonly expiresIn: number;
}

/** Signs the URL of a file. Nothing is asked of S3. */
export const signDownload = async (
  key: string,
  { disposition, contentType, expiresIn }: DownloadTerms,
): Promise<string> => {
  const { s3, client } = await loadBucket();
  const command = new s3.GetObjectCommand({
    ...at(key),
    ResponseContentDisposition: disposition,
    ResponseContentType: contentType,
    ResponseCacheControl: 'private, no-store',
  });
  return s3.getSignedUrl(client, command, { expiresIn });
};
