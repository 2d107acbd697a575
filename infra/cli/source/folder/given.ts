import type { Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { maxFilesBytes } from '../../../../shared/share-files/limits.ts';
import { getFileType } from '../../../../shared/share-files/types.ts';
import { decodeText } from '../../../../shared/text/decode.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { CliError } from '../error-mapping.ts';
import { interruption } from '../interruption.ts';
import type { LocalFile } from './local-file.ts';
import { type PageOptions, prepareFiles, type ReadyFiles } from './prepare.ts';
import { listFolder, toSharePath } from './walk.ts';

/** A file or folder that was named on the command line. */
interface Given {
  readonly path: string;
  readonly stats: Stats;
}

/** An archive is its files and some bytes around each. */
export const maxArchiveBytes = maxFilesBytes + 1024 * 1024;

const isArchive = ({ path, stats }: Given): boolean => stats.isFile() && /\.zip$/i.test(path);

/** Unpacks an archive. @throws CliError that names all problems */
const unzip = async (path: string, archive: Uint8Array): Promise<readonly LocalFile[]> => {
  const { unpack } = await import('./unpack.ts');
  const unpacked = await unpack(archive, interruption);
  if (!unpacked.files) {
    throw new CliError(unpacked.problems.map((problem) => `${path}: ${problem}`).join('\n'));
  }
  return unpacked.files.map((file) => ({
    path: file.path,
    size: file.bytes.length,
    read: async () => file.bytes,
  }));
};

/**
 * Prepares the files of a ZIP archive.
 * @throws CliError that names all problems
 */
export const readArchive = async (
  path: string,
  archive: Uint8Array,
  options: PageOptions,
): Promise<ReadyFiles> => {
  const ready = await prepareFiles(path, await unzip(path, archive), options);
  return { ...ready, fileName: basename(path).replace(/\.zip$/i, '') };
};

const readArchiveFile = async ({ path, stats }: Given, options: PageOptions) => {
  if (stats.size > maxArchiveBytes) {
    throw new CliError(`${path} is larger than ${formatBytes(maxFilesBytes)}.`);
  }
  return readArchive(path, await readFile(path), options);
};

const isText = /^(text\/|image\/svg|application\/(json|manifest))/;
const isUnknown = /^application\/octet-stream$/;

/** How many bytes tell the type of a file. */
const headBytes = 16;

const readHead = async (path: string): Promise<Uint8Array> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Returns the media type of a file, as the service tells it. */
export const readType = async (path: string): Promise<string> =>
  getFileType(basename(path), await readHead(path));

/** Whether a file can’t be shown as lines of text. */
const isBinary = async ({ path, stats }: Given): Promise<boolean> => {
  const type = await readType(path);
  if (isText.test(type)) return false;
  if (!isUnknown.test(type)) return true;
  return stats.size > maxFilesBytes || decodeText(await readFile(path)) === undefined;
};

const listGiven = async ({ path, stats }: Given): Promise<readonly LocalFile[]> => {
  const place = resolve(path);
  const shared = toSharePath(place, basename(place));
  if (!stats.isDirectory())
    return [{ path: shared, size: stats.size, read: () => readFile(place) }];
  const files = await listFolder(path);
  return shared === '' ? files : files.map((file) => ({ ...file, path: `${shared}/${file.path}` }));
};

/**
 * Reads what is shared as files: a folder, an archive, several files that aren’t all texts, or anything with `main`. Returns
 * `undefined` for texts, which are shared as such.
 * @throws CliError that names all problems
 */
export const readFiles = async (
  paths: readonly string[],
  options: PageOptions,
): Promise<ReadyFiles | undefined> => {
  const { main } = options;
  const given = await Promise.all(paths.map(async (path) => ({ path, stats: await stat(path) })));
  const [first] = given;
  if (!first) return undefined;
  if (given.length === 1) {
    if (first.stats.isDirectory())
      return prepareFiles(first.path, await listFolder(first.path), options);
    if (isArchive(first)) return readArchiveFile(first, options);
    if (main === undefined) return undefined;
  }
  const hasFolder = given.some(({ stats }) => stats.isDirectory());
  if (main === undefined && !hasFolder && !(await Promise.all(given.map(isBinary))).some(Boolean)) {
    return undefined;
  }
  const files = (await Promise.all(given.map(listGiven))).flat();
  return prepareFiles(given.length === 1 ? first.path : 'The selection', files, options);
};
