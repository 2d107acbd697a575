import { getSetting } from '../runtime/settings.ts';
import { isMissing, loadBucket, toStorageError } from './bucket.ts';

/** How much is read at once, in bytes: a process has little more of an object in memory. */
const partBytes = 4 * 1024 * 1024;

/** How long a part may take, in ms, and how often it is read: connections that are cut off come to light in its body. */
const partMs = 20_000;
const maxAttempts = 3;

const readPart = async (key: string, from: number, size: number): Promise<Uint8Array> => {
  const { s3, client } = await loadBucket();
  const Range = `bytes=${from}-${Math.min(from + partBytes, size) - 1}`;
  for (let attempt = 1; ; attempt++) {
    const abortSignal = AbortSignal.timeout(partMs);
    try {
      const { Body } = await client.send(
        new s3.GetObjectCommand({ Bucket: getSetting('FILES_BUCKET'), Key: key, Range }),
        { abortSignal },
      );
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    } catch (error) {
      if (isMissing(error) || attempt === maxAttempts) throw toStorageError(error);
    }
  }
};

/**
 * Opens an object that never changes, of this size in bytes: reads its beginning at once, and the rest piece by piece as it is
 * iterated. Returns `undefined` if it does not exist.
 * @throws AppError SERVICE_UNAVAILABLE if S3 refuses to read it; what S3 throws otherwise, also while iterating
 */
export const openObject = async (
  key: string,
  size: number,
): Promise<AsyncIterable<Uint8Array> | undefined> => {
  // S3 rejects a range of an empty object.
  if (size === 0) return (async function* () {})();
  const first = await readPart(key, 0, size).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!first) return undefined;
  return (async function* () {
    yield first;
    for (let at = partBytes; at < size; at += partBytes) yield await readPart(key, at, size);
  })();
};
