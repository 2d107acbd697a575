import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import { encodePath } from '../../../../shared/share-files/addresses.ts';
import { checkPaths } from '../../../../shared/share-files/paths.ts';
import { getPageKind } from '../../../../shared/share-files/types.ts';
import { CliError, exitCodes, usageError } from '../error-mapping.ts';
import { interruption } from '../interruption.ts';
import { note } from '../terminal/output.ts';
import { createBar } from '../terminal/progress.ts';

/** A share with files, as the service returns it. */
export interface SavedShare {
  readonly content: string;
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
  }[];
  readonly main?: string;
  readonly filesUrl?: string;
}

export type SavedFile = SavedShare['files'][number];

/** Returns the file that a share is: one without a page, such as a picture. */
export const findOnlyFile = ({ files, main }: SavedShare): SavedFile | undefined =>
  main !== undefined && getPageKind(main) === undefined ? files[0] : undefined;

/** How many files are fetched at once. */
const concurrency = 4;

/** A file to fetch; without a hash, its bytes are as they come. */
type FetchedFile = Pick<SavedFile, 'path'> & Partial<Pick<SavedFile, 'sha256'>>;

const isOriginal = (bytes: Uint8Array, { sha256 }: FetchedFile): boolean =>
  createHash('sha256').update(bytes).digest('hex') === sha256;

/** Removes the script that frames add to a page. Which one that is, the hash of the page tells. */
const withoutFrameScript = (bytes: Buffer, file: FetchedFile): Buffer => {
  if (isOriginal(bytes, file)) return bytes;
  const text = bytes.toString('latin1');
  const page = Buffer.from(text.replace(/<script>[\s\S]*?<\/script>/, ''), 'latin1');
  return isOriginal(page, file) ? page : bytes;
};

/**
 * Fetches a file of a share.
 * @throws CliError if the service refuses the file or can’t be reached
 */
export const fetchFile = async (prefix: string, file: FetchedFile): Promise<Buffer> => {
  const response = await fetch(`${prefix}${encodePath(file.path)}`, { signal: interruption }).catch(
    () => undefined,
  );
  interruption.throwIfAborted();
  if (!response) throw new CliError('Can’t reach the files of the share.', exitCodes.unreachable);
  if (!response.ok) throw new CliError(`The service refused ${file.path} (${response.status}).`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return /\.html?$/i.test(file.path) ? withoutFrameScript(bytes, file) : bytes;
};

/** @throws CliError for paths that lead out of the folder, whoever chose them */
const assertPaths = (files: readonly SavedFile[]): void => {
  const problems = checkPaths(files, () => true);
  if (problems.length > 0) throw new CliError(problems.map(({ message }) => message).join('\n'));
};

/** @throws CliError if there is a file or folder of this name */
export const assertFree = async (path: string): Promise<void> => {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw usageError(`${path} exists: pass --output with another path.`);
};

/** What a file of a folder is made of. */
interface FolderFile {
  /** Its path in the folder, which was checked. */
  readonly path: string;
  readonly read: () => Promise<Uint8Array | string>;
}

/**
 * Saves files as a new folder, which has its name once it is complete.
 * @throws CliError; what `read` throws
 */
export const saveFolder = async (files: readonly FolderFile[], output: string): Promise<void> => {
  await assertFree(output);
  const folder = resolve(output);
  const part = join(dirname(folder), `${basename(folder)}.${randomUUID()}.part`);
  const bar = await createBar(output);
  let done = 0;
  try {
    await forEachAtOnce(files, concurrency, async ({ path, read }) => {
      interruption.throwIfAborted();
      const bytes = await read();
      const place = join(part, ...path.split('/'));
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, bytes, { flag: 'wx' });
      done += 1;
      bar.update(done / files.length);
    });
    await rename(part, folder);
    note(`${output}: ${files.length === 1 ? '1 file' : `${files.length} files`}`);
  } finally {
    bar.stop();
    await rm(part, { recursive: true, force: true });
  }
};

/** Saves the files of a share as a new folder. @throws CliError */
export const saveFiles = async (
  { content, files, main, filesUrl }: SavedShare,
  output: string,
): Promise<void> => {
  assertPaths(files);
  const saved = files.map((file) => {
    // What shows a picture alone isn't a file of the share.
    const isContent = file.path === main && getPageKind(main) !== undefined;
    const read = async () => (isContent ? content : fetchFile(filesUrl ?? '', file));
    return { path: file.path, read };
  });
  await saveFolder(saved, output);
};
