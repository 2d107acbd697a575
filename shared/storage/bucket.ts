import { serializeError } from '../runtime/error-mapping.ts';
import { AppError } from '../runtime/errors.ts';
import { getSetting } from '../runtime/settings.ts';
import { getLogger } from '../runtime/telemetry.ts';

const load = async () => {
  // Loaded on first use, because most requests need no object and the client is as large as the rest of a bundle.
  const { s3, makeClient } = await import('./s3.ts');
  const client = makeClient();
  const address = process.env['FILES_URL'];
  return { s3, client, signer: address ? makeClient(address) : client };
};

let loading: ReturnType<typeof load> | undefined;

/**
 * Loads the S3 client and its commands: three attempts of up to three seconds. `signer` signs what browsers send: behind a
 * proxy they reach the bucket at another address (FILES_URL).
 */
export const loadBucket = () => {
  loading ??= load();
  return loading;
};

/**
 * Stores an object.
 * @throws what S3 throws after three attempts of 3 s
 */
export const putObject = async (key: string, bytes: Uint8Array): Promise<void> => {
  const { s3, client } = await loadBucket();
  await client.send(
    new s3.PutObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key, Body: bytes }),
  );
};

/**
 * Reads an object, or returns `undefined` if it does not exist.
 * @throws AppError SERVICE_UNAVAILABLE if S3 refuses to read it, because it may exist; what S3 throws otherwise
 */
export const getObject = async (key: string): Promise<Uint8Array | undefined> => {
  const { s3, client } = await loadBucket();
  try {
    const { Body } = await client.send(
      new s3.GetObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key }),
    );
    return await Body?.transformToByteArray();
  } catch (error) {
    if (!isMissing(error)) throw toStorageError(error);
    getLogger().warn('Object missing', { error: serializeError(error) });
    return undefined;
  }
};

/**
 * Reads the first bytes of an object; none if it is empty or does not exist.
 * @throws as `getObject`
 */
export const getObjectStart = async (key: string, bytes: number): Promise<Uint8Array> => {
  const { s3, client } = await loadBucket();
  const Range = `bytes=0-${bytes - 1}`;
  try {
    const { Body } = await client.send(
      new s3.GetObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key, Range }),
    );
    return (await Body?.transformToByteArray()) ?? new Uint8Array();
  } catch (error) {
    // S3 refuses a range of an empty object.
    if (isMissing(error) || (error instanceof Error && error.name === 'InvalidRange'))
      return new Uint8Array();
    throw toStorageError(error);
  }
};

/** How much of an object is read, in bytes, and how long that may take, in ms. */
interface Bounds {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Reads an object that may not exist: returns `undefined` then, and if it is larger than allowed.
 * @throws AppError SERVICE_UNAVAILABLE if S3 refuses to read it; what S3 throws otherwise, a TimeoutError after the time
 */
export const findObject = async (
  key: string,
  { maxBytes, timeoutMs }: Bounds,
): Promise<Uint8Array | undefined> => {
  const { s3, client } = await loadBucket();
  const abortSignal = AbortSignal.timeout(timeoutMs);
  try {
    const { Body, ContentLength = 0 } = await client.send(
      new s3.GetObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key }),
      { abortSignal },
    );
    if (ContentLength <= maxBytes) return await Body?.transformToByteArray();
    (Body as { destroy?(): void } | undefined)?.destroy?.();
    return undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toStorageError(error);
  }
};

/** Returns whether the error means a missing object. S3 tells, because the functions may list what they may read. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.name === 'NoSuchKey';

/** Makes a refusal of S3 a passing error: its cause is a policy, and the object may exist. */
export const toStorageError = (error: unknown): unknown => {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  if ($metadata?.httpStatusCode !== 403) return error;
  return new AppError('SERVICE_UNAVAILABLE', 'The storage is unavailable. Try again.', {
    cause: error,
  });
};

/** Deletes an object, whether it exists or not. */
export const deleteObject = async (key: string): Promise<void> => {
  const { s3, client } = await loadBucket();
  await client.send(new s3.DeleteObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key }));
};

/** S3 refused to delete one of several objects. */
export class ObjectDeletionError extends Error {
  override readonly name = 'ObjectDeletionError';
}

/**
 * Deletes up to 1,000 objects in one request, whether they exist or not. Returns the errors of those that S3 did not delete,
 * by key.
 * @throws what S3 throws if it deletes none
 */
export const deleteObjects = async (
  keys: readonly string[],
): Promise<ReadonlyMap<string, ObjectDeletionError>> => {
  const { s3, client } = await loadBucket();
  const { Errors = [] } = await client.send(
    new s3.DeleteObjectsCommand({
      Bucket: getSetting('FILES_BUCKET'),
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    }),
  );
  return new Map(Errors.map(({ Key = '', Code }) => [Key, new ObjectDeletionError(Code)]));
};
