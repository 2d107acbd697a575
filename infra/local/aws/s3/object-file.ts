import { type FileHandle, open } from 'node:fs/promises';

/** The description of an object. */
export interface ObjectInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  /** The headers stored with the object, which are also response headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Checksums by header name. */
  readonly checksums: Readonly<Record<string, string>>;
}

// An object is one file, so that one rename replaces both its bytes and its description.
// The file contains the bytes, the description in JSON, and the length of the description in four bytes.
const LENGTH_BYTES = 4;

/**
 * Writes a new file and flushes it to the disk. Calls `describe` after the last byte.
 * Rethrows errors of reading the bytes, and leaves the incomplete file to the caller.
 */
export const writeObjectFile = async (
  path: string,
  bytes: AsyncIterable<Buffer>,
  describe: () => ObjectInfo,
): Promise<ObjectInfo> => {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    const info = describe();
    const description = Buffer.from(JSON.stringify(info));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(description.length);
    await file.writeFile(Buffer.concat([description, length]));
    await file.sync();
    return info;
  } finally {
    await file.close();
  }
};

const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new Error('An object’s file is shorter than it says');
  return buffer;
};

/** Reads the description of an object from its file and leaves the file open. */
export const readObjectInfo = async (file: FileHandle): Promise<ObjectInfo> => {
  const { size } = await file.stat();
  const length = (await readAt(file, size - LENGTH_BYTES, LENGTH_BYTES)).readUInt32BE();
  const description = await readAt(file, size - LENGTH_BYTES - length, length);
  return JSON.parse(description.toString()) as ObjectInfo;
};
