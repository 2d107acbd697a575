import type { CompletedPart } from '@aws-sdk/client-s3';
import { serializeError } from '../runtime/error-mapping.ts';
import { getSetting } from '../runtime/settings.ts';
import { getLogger } from '../runtime/telemetry.ts';
import { loadBucket } from './bucket.ts';

/** The size of a part. S3 takes 10,000, so an object can have 80 GB, and none but the last below 5 MB. */
const partBytes = 8 * 1024 * 1024;

const maxParts = 10_000;

/** Time limit in ms for an attempt to send a part: at a tenth of what a function of 256 MB sends. */
const partMs = 30_000;

const options = { requestTimeout: partMs };

/** S3 can take minutes to put the parts of a large object together. */
const completion = { requestTimeout: 5 * 60_000 };

/** Gathers pieces into parts, in one buffer: a part must be sent before the next piece is taken. The last part may be empty. */
async function* toParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + partBytes - filled);
      part.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < partBytes) continue;
      yield part;
      filled = 0;
    }
  }
  yield part.subarray(0, filled);
}

/** An object that has grown beyond what S3 takes. */
export class ObjectTooLarge extends Error {
  override readonly name = 'ObjectTooLarge';
}

/** An object that is uploaded in parts. */
interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

/** Removes the parts of an upload that failed. The bucket removes them after a day otherwise. */
const tryAbort = async (upload: Upload): Promise<void> => {
  const { s3, client } = await loadBucket();
  try {
    await client.send(new s3.AbortMultipartUploadCommand(upload));
  } catch (error) {
    getLogger().warn('Upload not aborted', { error: serializeError(error) });
  }
};

/** Sends the parts of an upload and completes it. Returns the bytes of all. */
const sendParts = async (upload: Upload, parts: AsyncIterable<Uint8Array>): Promise<number> => {
  const { s3, client } = await loadBucket();
  const Parts: CompletedPart[] = [];
  let bytes = 0;
  for await (const Body of parts) {
    if (Body.length === 0) break;
    if (Parts.length === maxParts) throw new ObjectTooLarge('An object has at most 80 GB');
    const PartNumber = Parts.length + 1;
    const command = new s3.UploadPartCommand({ ...upload, PartNumber, Body });
    const { ETag, ChecksumCRC32 } = await client.send(command, options);
    Parts.push({ PartNumber, ETag, ChecksumCRC32 });
    bytes += Body.length;
  }
  const MultipartUpload = { Parts };
  const command = new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload });
  await client.send(command, completion);
  return bytes;
};

/**
 * Stores an object from pieces, in parts of 8 MB: no more of it is in memory. It exists as a whole, or not at all. Returns its
 * bytes.
 * @throws what S3 throws after three attempts, and what the pieces throw, once the parts are removed
 */
export const uploadStream = async (
  key: string,
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<number> => {
  const { s3, client } = await loadBucket();
  const object = { Bucket: getSetting('FILES_BUCKET'), Key: key };
  const described = { ...object, ContentType: contentType };
  const parts = toParts(pieces);
  const { value: first = new Uint8Array() } = await parts.next();
  if (first.length < partBytes) {
    await client.send(new s3.PutObjectCommand({ ...described, Body: first }), options);
    return first.length;
  }
  const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(described));
  const upload = { ...object, UploadId };
  const all = async function* () {
    yield first;
    yield* parts;
  };
  try {
    return await sendParts(upload, all());
  } catch (error) {
    await tryAbort(upload);
    throw error;
  }
};
