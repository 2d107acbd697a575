import {
  type Entry,
  type FileEntry,
  type Reader,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-reader.js';
import { formatBytes } from '../text/format-bytes.ts';
import { maxFilesBytes, maxZipEntries, maxZipRatio } from './limits.ts';
import { checkPaths, type PathProblem, showPath, tidyPaths } from './paths.ts';
import { getPageKind } from './types.ts';
import { toZipProblem, ZipProblem } from './zip-problem.ts';

/** A file of an archive. */
export interface UnzippedFile {
  /** As `tidyPaths` returns it. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its number, from 0, and that of all files. */
  readonly index: number;
  readonly count: number;
}

interface ArchivedFile {
  readonly path: string;
  /** As its header says, in bytes. */
  readonly size: number;
  readonly entry: FileEntry;
}

/** The most bytes of an archive: its files without compression, and their headers. */
const maxArchiveBytes = maxFilesBytes + 1024 * 1024;

/** How often an archive is read from: 2,000 entries need 8,000 reads, so more means that its headers lead astray. */
const maxReads = 20_000;

/** Files up to this size have any ratio, because a short file of one letter is harmless. In bytes. */
const minRatioBytes = 100 * 1024;

const damaged = 'The archive is damaged. Create it again.';

const chunkBytes = 64 * 1024;

const createReader = (bytes: Uint8Array): Reader<Uint8Array> => {
  let reads = 0;
  const read = (offset: number, length: number): Uint8Array => {
    reads += 1;
    if (reads > maxReads) throw new ZipProblem('damaged', damaged);
    return bytes.subarray(offset, offset + length);
  };
  const createReadable: Reader<Uint8Array>['createReadable'] = ({ offset = 0, size } = {}) => {
    const end = offset + (size ?? bytes.length);
    let at = offset;
    return new ReadableStream({
      pull: (controller) => {
        const chunk = read(at, Math.min(chunkBytes, end - at));
        at += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        if (at >= end || chunk.length === 0) controller.close();
      },
    });
  };
  return {
    size: bytes.length,
    readUint8Array: async (offset, length) => read(offset, length),
    createReadable,
    get readable() {
      return createReadable();
    },
  };
};

const linkFormat = 0o120000;
/** Regular files and folders; 0 where the system that made the archive has no such formats. */
const plainFormats = [0, 0o100000, 0o040000];

/** Formats that are packed as ZIP archives and aren’t unpacked by people. */
const packedFormats =
  /\.(docx|xlsx|pptx|od[gpst]|epub|jar|apk|ipa|xpi|crx|whl|3mf|usdz|kmz|mcpack)$/i;

const isNested = (path: string, bytes?: Uint8Array): boolean =>
  /\.zip$/i.test(path) ||
  (bytes?.[0] === 0x50 &&
    bytes[1] === 0x4b &&
    bytes[2] === 3 &&
    bytes[3] === 4 &&
    !packedFormats.test(path));

const throwNested = (path: string): never => {
  throw new ZipProblem(
    'nested',
    `${showPath(path)} is a ZIP archive itself. Unpack it, or leave it out.`,
  );
};

/** Whether a name isn’t in UTF-8: it may have U+FFFD itself, which also stands for what can’t be read. */
const isMangled = ({ filename, rawFilename }: Entry): boolean => {
  if (!filename.includes('\ufffd')) return false;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(rawFilename) !== filename;
  } catch {
    return true;
  }
};

/** Checks what the header of an entry says, but for its size. @throws ZipProblem unless it is a plain file or folder */
export const checkEntry = (entry: Entry): void => {
  const shown = showPath(entry.filename);
  if (entry.encrypted) {
    throw new ZipProblem(
      'encrypted',
      `${shown} is encrypted. Create the archive without a password.`,
    );
  }
  const format = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (!plainFormats.includes(format)) {
    const kind = format === linkFormat ? 'link' : 'special file';
    throw new ZipProblem('link', `${shown} is a ${kind}. Replace it by the file, or leave it out.`);
  }
  if (isMangled(entry)) {
    throw new ZipProblem('name', `The name ${shown} isn’t in UTF-8. Rename the file.`);
  }
  if (entry.directory) {
    if (entry.compressedSize === 0 && entry.uncompressedSize === 0) return;
    throw new ZipProblem('folder', `The folder ${shown} has content. Create the archive again.`);
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new ZipProblem(
      'unsupported',
      `${shown} is compressed by an unknown method. Use Deflate, the usual one.`,
    );
  }
};

/** Reads the headers of all entries. @throws ZipProblem for those that aren’t plain files and folders of their own */
const readEntries = async (reader: ZipReader<unknown>): Promise<FileEntry[]> => {
  const files: FileEntry[] = [];
  const names = new Set<string>();
  let count = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    count += 1;
    if (count > maxZipEntries) {
      const message = `The archive has more than ${maxZipEntries} entries. Leave some out.`;
      throw new ZipProblem('too-many', message);
    }
    checkEntry(entry);
    if (names.has(entry.filename)) {
      const message = `${showPath(entry.filename)} is in the archive twice. Leave one out.`;
      throw new ZipProblem('name', message);
    }
    names.add(entry.filename);
    if (!entry.directory) files.push(entry);
  }
  return files;
};

const checkRatio = (size: number, compressed: number, about: string): void => {
  if (size <= minRatioBytes || size <= compressed * maxZipRatio) return;
  const message = `${about} unpacks to more than ${maxZipRatio} times its size. Leave it out.`;
  throw new ZipProblem('ratio', message);
};

/** The caller chooses the main page, so each page may have its size here. */
const findProblems = (files: readonly ArchivedFile[]): PathProblem[] =>
  checkPaths(files, (path) => getPageKind(path) === 'html');

/** Takes what is wrong with a file that is left out. */
type OnProblem = (problem: PathProblem) => void;

/** Chooses the files of an archive and checks their paths and sizes, as their headers say. */
const chooseFiles = (entries: readonly FileEntry[], onProblem?: OnProblem): ArchivedFile[] => {
  const all = tidyPaths(
    entries.map((entry) => ({ path: entry.filename, size: entry.uncompressedSize, entry })),
  );
  if (all.length === 0) throw new ZipProblem('empty', 'The archive has no files. Add one.');
  const leftOut = new Set<string>();
  for (const problem of onProblem ? findProblems(all) : []) {
    if (problem.path === '') continue;
    leftOut.add(problem.path);
    onProblem?.(problem);
  }
  const files = all.filter(({ path }) => !leftOut.has(path));
  const problems = findProblems(files);
  const [first] = problems;
  if (first) {
    const code = first.isTooLarge ? 'too-large' : 'path';
    throw new ZipProblem(code, first.message, problems);
  }
  for (const { path, entry } of files) {
    checkRatio(entry.uncompressedSize, entry.compressedSize, showPath(path));
    if (isNested(path)) throwNested(path);
  }
  const [size, compressed] = files.reduce(
    ([all, packed], { entry }) => [all + entry.uncompressedSize, packed + entry.compressedSize],
    [0, 0],
  );
  checkRatio(size, compressed, 'The archive');
  return files;
};

/** Reads a file of the size that its header says, and no byte more. */
const readFile = async ({ entry, size, path }: ArchivedFile, signal?: AbortSignal) => {
  const bytes = new Uint8Array(size);
  let length = 0;
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) => {
      if (length + chunk.length > size) {
        const message = `${showPath(path)} is longer than the archive says. Create it again.`;
        throw new ZipProblem('damaged', message);
      }
      bytes.set(chunk, length);
      length += chunk.length;
    },
  });
  await entry.getData(writable, signal ? { signal } : {});
  if (isNested(path, bytes)) throwNested(path);
  return bytes;
};

const guard = async <Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
  name?: string,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    throw toZipProblem(error, name);
  }
};

/**
 * Unpacks a ZIP archive and calls `onFile` for its files, in their order, one after another. Files that `tidyPaths` leaves out are
 * left out. The headers of all entries are checked first, and the paths and sizes of the files by `checkPaths`, where any HTML file
 * may have the size of a main page. With `onProblem`, a file that fails that check is left out, and it is called. Holds the
 * archive and one file in memory.
 * @throws ZipProblem for an archive that can’t be unpacked, after `onFile` was called for the files before it; errors of
 * `onFile` and the reason of `signal` as they are
 */
export const unzip = async (
  archive: Uint8Array | Blob,
  onFile: (file: UnzippedFile) => void | Promise<void>,
  signal?: AbortSignal,
  onProblem?: OnProblem,
): Promise<void> => {
  const archiveBytes = archive instanceof Blob ? archive.size : archive.length;
  if (archiveBytes > maxArchiveBytes) {
    const message = `The archive has ${formatBytes(archiveBytes)}. The files of a share can have ${formatBytes(maxFilesBytes)}.`;
    throw new ZipProblem('too-large', message);
  }
  const bytes = archive instanceof Blob ? new Uint8Array(await archive.arrayBuffer()) : archive;
  const reader = new ZipReader(createReader(bytes), {
    // Refuses headers that contradict each other, of which other programs would read another one.
    strictness: 'strict',
    // `checkPaths` says what is wrong with a name.
    filenameValidation: 'tolerant',
    checkCrc32: true,
    checkOverlappingEntry: true,
    useWebWorkers: false,
  });
  const files = await guard(async () => {
    const entries = await readEntries(reader);
    const chosen = chooseFiles(entries, onProblem);
    // Overlaps are found before anything is unpacked.
    for (const entry of entries) {
      signal?.throwIfAborted();
      await guard(
        () => entry.getData(new WritableStream(), { checkOverlappingEntryOnly: true }),
        signal,
        entry.filename,
      );
    }
    return chosen;
  }, signal);
  for (const [index, file] of files.entries()) {
    signal?.throwIfAborted();
    const { path } = file;
    const unpacked = await guard(() => readFile(file, signal), signal, path);
    await onFile({ path, bytes: unpacked, index, count: files.length });
  }
};
