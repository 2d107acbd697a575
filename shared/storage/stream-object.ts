import { getSetting } from '../runtime/settings.ts';
import { isMissing, loadBucket, toStorageError } from './bucket.ts';

/** How much is read at once: a request for each of these, so that a failed one is sent again and none waits for its reader. */
const rangeBytes = 4 * 1024 * 1024;

/** An object that changed or was deleted while it was read. */
export class ObjectChanged extends Error {
  override readonly name = 'ObjectChanged';
}

/** Returns the size of an object from the range of a response, such as `bytes 0-9/200`. */
const toSize = (range: string | undefined): number => Number(range?.split('/')[1]);

/**
 * Reads an object piece by piece, each of up to 4 MB, none of which is read before the one before was taken. Returns
 * `undefined` if it does not exist.
 * @throws AppError SERVICE_UNAVAILABLE if S3 refuses to read it; while it is read, ObjectChanged and what S3 throws after three
 *   attempts of 3 s
 */
export const streamObject = async (
  key: string,
): Promise<{ readonly bytes: number; readonly content: AsyncIterable<Uint8Array> } | undefined> => {
  const { s3, client } = await loadBucket();
  const read = async (from: number, ifMatch?: string) => {
    const command = new s3.GetObjectCommand({
      Bucket: getSetting('FILES_BUCKET'),
      Key: key,
      Range: `bytes=${from}-${from + rangeBytes - 1}`,
      ...(ifMatch !== undefined && { IfMatch: ifMatch }),
    });
    const { Body, ContentRange, ETag } = await client.send(command);
    return { piece: await Body?.transformToByteArray(), ContentRange, ETag };
  };
  const first = await read(0).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    // S3 refuses a range of an empty object.
    if (error instanceof Error && error.name === 'InvalidRange') return { piece: undefined };
    throw toStorageError(error);
  });
  if (!first) return undefined;
  const size = first.piece ? toSize('ContentRange' in first ? first.ContentRange : undefined) : 0;
  const etag = 'ETag' in first ? first.ETag : undefined;
  const pieces = async function* () {
    let at = 0;
    let { piece } = first;
    while (piece && piece.length > 0) {
      yield piece;
      at += piece.length;
      if (at >= size) return;
      piece = (
        await read(at, etag).catch((error: unknown) => {
          const isGone = isMissing(error) || (error as Error).name === 'PreconditionFailed';
          throw isGone ? new ObjectChanged('The object changed while it was read') : error;
        })
      ).piece;
    }
  };
  return { bytes: size, content: pieces() };
};
