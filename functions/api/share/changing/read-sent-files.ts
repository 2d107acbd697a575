import type { FilePart } from '../../../../shared/http/multipart.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { maxFormBytes } from '../../../../shared/share-files/limits.ts';
import { tidyPaths } from '../../../../shared/share-files/paths.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { refusePaths } from '../files/refused-paths.ts';
import type { SentFiles } from './sent-files.ts';

/** A file whose bytes are in memory. */
interface SentFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const unpack = async ({ bytes }: FilePart): Promise<SentFile[]> => {
  const [{ unzip }, { ZipProblem }] = await Promise.all([
    import('../../../../shared/share-files/unzip.ts'),
    import('../../../../shared/share-files/zip-problem.ts'),
  ]);
  const files: SentFile[] = [];
  try {
    await unzip(bytes, (file) => {
      files.push({ path: file.path, bytes: file.bytes });
    });
  } catch (error) {
    if (!(error instanceof ZipProblem)) throw error;
    if (error.details.length > 0) throw refusePaths(error.details);
    throw error.isTooLarge
      ? new AppError('PAYLOAD_TOO_LARGE', error.message, {
          details: [{ field: 'file', message: error.message }],
        })
      : new AppError('VALIDATION_ERROR', error.message, {
          details: [{ field: 'file', message: error.message }],
          cause: error,
        });
  }
  return files;
};

/**
 * Returns the files of a request’s body, those of an archive unpacked, with their paths tidied.
 * @throws AppError PAYLOAD_TOO_LARGE beyond 4 MB, or for an archive with more than a share can have; VALIDATION_ERROR for an
 *   archive that can't be unpacked
 */
export const readSentFiles = async ({ parts, isArchive: isPacked }: SentFiles) => {
  const [first] = parts;
  const size = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > maxFormBytes) {
    const limit = `A request can have ${formatBytes(maxFormBytes)} of files`;
    throw new AppError('PAYLOAD_TOO_LARGE', `${limit}. Send more by POST /api/share/uploads.`, {
      details: [{ field: 'file', message: `has ${formatBytes(size)}` }],
    });
  }
  return isPacked && first
    ? unpack(first)
    : tidyPaths(parts.map(({ path, bytes }) => ({ path, bytes })));
};
