import { type FileHandle, open } from 'node:fs/promises';
import { type FileEntry, type Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-reader.js';
import { showPath } from '../../../../../shared/share-files/paths.ts';
import { checkEntry } from '../../../../../shared/share-files/unzip.ts';
import { toZipProblem, ZipProblem } from '../../../../../shared/share-files/zip-problem.ts';
import { formatBytes } from '../../../../../shared/text/format-bytes.ts';
import { CliError } from '../../error-mapping.ts';
import { interruption as signal } from '../../interruption.ts';

/** More than a user has, and few enough to keep their headers in memory. */
const maxEntries = 500_000;

const chunkBytes = 256 * 1024;

/** Reads an archive where it is: one of several gigabytes takes no memory. */
const createReader = (file: FileHandle, size: number): Reader<FileHandle> => {
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const wanted = Math.max(0, Math.min(length, size - offset));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, offset);
    return new Uint8Array(buffer.buffer, buffer.byteOffset, bytesRead);
  };
  const createReadable: Reader<FileHandle>['createReadable'] = ({
    offset = 0,
    size: part,
  } = {}) => {
    const end = Math.min(size, offset + (part ?? size));
    let at = offset;
    return new ReadableStream({
      pull: async (controller) => {
        const chunk = await read(at, Math.min(chunkBytes, end - at));
        at += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        if (at >= end || chunk.length === 0) controller.close();
      },
    });
  };
  return {
    size,
    readUint8Array: read,
    createReadable,
    get readable() {
      return createReadable();
    },
  };
};

/** Whether a path stays within a folder on any system. */
const isPlain = (path: string): boolean =>
  !path.includes('\\') &&
  !/^[a-z]:/i.test(path) &&
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');

/** A file of an archive. */
export interface ArchivedFile {
  readonly path: string;
  /** As its header says, in bytes: reading gives no byte more. */
  readonly size: number;
  /** Passes its content on, piece by piece. @throws CliError if it is damaged */
  read(onPiece: (piece: Uint8Array) => void | Promise<void>): Promise<void>;
}

/** An archive whose headers have been checked. */
export interface Archive {
  readonly files: ReadonlyMap<string, ArchivedFile>;
  close(): Promise<void>;
}

const guard = async <Result>(archive: string, name: string, work: () => Promise<Result>) => {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CliError) throw error;
    throw new CliError(`${archive}: ${toZipProblem(error, name).message}`);
  }
};

const toFile = (archive: string, entry: FileEntry): ArchivedFile => {
  const { filename: path, uncompressedSize: size } = entry;
  return {
    path,
    size,
    read: (onPiece) =>
      guard(archive, path, async () => {
        let length = 0;
        const writable = new WritableStream<Uint8Array>({
          write: async (piece) => {
            length += piece.length;
            if (length > size) {
              const message = `${showPath(path)} is longer than the archive says.`;
              throw new ZipProblem('damaged', message);
            }
            await onPiece(piece);
          },
        });
        await entry.getData(writable, { signal });
      }),
  };
};

/** Reads and checks the headers of all entries. */
const readFiles = async (
  archive: string,
  reader: ZipReader<unknown>,
): Promise<ReadonlyMap<string, ArchivedFile>> => {
  const files = new Map<string, ArchivedFile>();
  const entries: FileEntry[] = [];
  for await (const entry of reader.getEntriesGenerator()) {
    signal.throwIfAborted();
    checkEntry(entry);
    const { filename: path } = entry;
    if (files.size === maxEntries) {
      throw new ZipProblem('too-many', `The archive has more than ${maxEntries} files.`);
    }
    if (entry.directory) continue;
    if (!isPlain(path)) {
      throw new ZipProblem('path', `${showPath(path)} leads out of the archive.`);
    }
    if (files.has(path)) throw new ZipProblem('name', `${showPath(path)} is there twice.`);
    files.set(path, toFile(archive, entry));
    entries.push(entry);
  }
  // Overlaps are found before anything is read: a bomb has its bytes once and unpacks them often.
  for (const entry of entries) {
    signal.throwIfAborted();
    await entry.getData(new WritableStream(), { checkOverlappingEntryOnly: true });
  }
  return files;
};

/**
 * Opens a ZIP archive and checks the headers of all its entries: nothing is unpacked, and nothing is written under a name that it
 * chooses.
 * @throws CliError that says what is wrong with it; what opening a file throws
 */
export const openArchive = async (path: string): Promise<Archive> => {
  const file = await open(path);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new CliError(`${path} is no file.`);
    const reader = new ZipReader(createReader(file, stats.size), {
      // Refuses headers that contradict each other, of which other programs would read another one.
      strictness: 'strict',
      filenameValidation: 'tolerant',
      checkCrc32: true,
      checkOverlappingEntry: true,
      useWebWorkers: false,
    });
    const files = await guard(path, path, () => readFiles(path, reader));
    return { files, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
};

/**
 * Reads a file of an archive as bytes.
 * @throws CliError if it has more than so many, or is damaged
 */
export const readBytes = async (
  { path, size, read }: ArchivedFile,
  maxBytes: number,
): Promise<Buffer> => {
  if (size > maxBytes) {
    throw new CliError(`${showPath(path)} is larger than ${formatBytes(maxBytes)}.`);
  }
  const pieces: Uint8Array[] = [];
  await read((piece) => void pieces.push(piece));
  return Buffer.concat(pieces);
};

/** Reads a file of an archive as text. @throws CliError as `readBytes`, and if it isn't UTF-8 */
export const readText = async (file: ArchivedFile, maxBytes: number): Promise<string> => {
  const bytes = await readBytes(file, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CliError(`${showPath(file.path)} isn’t in UTF-8.`);
  }
};
