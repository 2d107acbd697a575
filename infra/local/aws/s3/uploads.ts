import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ObjectInfo, writeObjectFile } from './object-file.ts';

/** Bytes per read. */
const READ_BYTES = 1024 * 1024;

/** An upload in parts, which ends with this process. */
export interface Upload {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  /** The headers that are stored with the object. */
  readonly headers: ObjectInfo['headers'];
  /** What was sent, by number. */
  readonly parts: ReadonlyMap<number, ObjectInfo>;
  /** Stores a part, in place of the one with the same number. */
  put(
    number: number,
    bytes: AsyncIterable<Buffer>,
    describe: () => ObjectInfo,
  ): Promise<ObjectInfo>;
  /** Reads parts, one after another. */
  read(numbers: readonly number[]): AsyncGenerator<Buffer>;
  /** Removes the parts, and with them the upload. */
  remove(): Promise<void>;
}

/** Starts an upload whose parts are in a folder, and adds it to others. */
export const startUpload = async (
  folder: string,
  uploads: Map<string, Upload>,
  { bucket, key, headers }: Pick<Upload, 'bucket' | 'key' | 'headers'>,
): Promise<Upload> => {
  const id = randomUUID();
  const own = join(folder, `parts-${id}`);
  await mkdir(own);
  const parts = new Map<number, ObjectInfo>();
  const upload: Upload = {
    id,
    bucket,
    key,
    headers,
    parts,
    async put(number, bytes, describe) {
      const path = join(own, randomUUID());
      try {
        const info = await writeObjectFile(path, bytes, describe);
        await rename(path, join(own, String(number)));
        parts.set(number, info);
        return info;
      } finally {
        await rm(path, { force: true });
      }
    },
    async *read(numbers) {
      for (const number of numbers) {
        const size = parts.get(number)?.size ?? 0;
        // A stream can't be limited to zero bytes.
        if (size === 0) continue;
        const range = { end: size - 1, highWaterMark: READ_BYTES };
        yield* createReadStream(join(own, String(number)), range);
      }
    },
    async remove() {
      uploads.delete(id);
      await rm(own, { recursive: true, force: true });
    },
  };
  uploads.set(id, upload);
  return upload;
};
