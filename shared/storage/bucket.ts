import { serializeError } from '../runtime/error-mapping.ts';
import { getSetting } from '../runtime/settings.ts';
import { getLogger } from '../runtime/telemetry.ts';

const load = async () => {
  // Loaded when it is first needed: most requests touch no object, and the client is as large as the rest of a bundle.
  const { s3, makeClient } = await import('./s3.ts');
  return { s3, client: makeClient() };
};

let loading: ReturnType<typeof load> | undefined;

/** The one client of S3 and its commands: three seconds a try, three tries. */
export const loadBucket = () => {
  loading ??= load();
  return loading;
};

/** Stores an object. @throws what S3 throws, after three tries of 3 s */
export const putObject = async (key: string, bytes: Uint8Array): Promise<void> => {
  const { s3, client } = await loadBucket();
  await client.send(
    new s3.PutObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key, Body: bytes }),
  );
};

/** An object's bytes; `undefined` where there is none. */
export const getObject = async (key: string): Promise<Uint8Array | undefined> => {
  const { s3, client } = await loadBucket();
  try {
    const { Body } = await client.send(
      new s3.GetObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key }),
    );
    return await Body?.transformToByteArray();
  } catch (error) {
    if (!isMissing(error)) throw error;
    getLogger().warn('An object is missing', { failure: serializeError(error) });
    return undefined;
  }
};

/**
 * Is this what S3 says of a missing object? To whom may not list the bucket it says that access is denied.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'AccessDenied');

/** Deletes an object, whether it is there or not. */
export const deleteObject = async (key: string): Promise<void> => {
  const { s3, client } = await loadBucket();
  await client.send(new s3.DeleteObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key }));
};
