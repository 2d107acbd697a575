import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { CliError } from '../error-mapping.ts';

// Windows knows neither; a pipe would block until someone writes into it.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const exchanged = (place: string): CliError =>
  new CliError(`${place} was exchanged while it was read. Try again.`);

/** @throws CliError unless the file that is open is the one that the path still leads to, without a link */
const assertSame = async (file: FileHandle, place: string): Promise<void> => {
  const opened = await file.stat({ bigint: true });
  const [real, now] = await Promise.all([realpath(place), stat(place, { bigint: true })]).catch(
    () => [],
  );
  if (real !== place || now?.ino !== opened.ino || now.dev !== opened.dev) throw exchanged(place);
};

const readBytes = async (file: FileHandle, size: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
};

/**
 * Reads a regular file by its real path, which was checked before. Of a file whose path leads elsewhere by now, because it or
 * a folder above it was exchanged for a link, nothing is returned (decisions.md#assistants-on-your-machine).
 * @throws CliError for what is no file, has more than `maxBytes`, or was exchanged
 */
export const readChecked = async (place: string, maxBytes: number): Promise<Buffer> => {
  const file = await open(place, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? exchanged(place) : error;
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new CliError(`${place} is neither a file nor a folder.`);
    await assertSame(file, place);
    if (stats.size > maxBytes) {
      throw new CliError(`${place} is larger than ${formatBytes(maxBytes)}.`);
    }
    return await readBytes(file, stats.size);
  } finally {
    await file.close();
  }
};
