import { maxFiles, maxZipEntries } from '../../../../../../../shared/share-files/limits.ts';
import { isLeftOut, tidyPaths } from '../../../../../../../shared/share-files/paths.ts';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import type { IncomingFile, Refused } from './model/incoming.ts';
import { runTask } from './work/worker.ts';

/** What a drop, a paste or a choice brings: files, and folders of a drop. */
export type Found = File | FileSystemEntry;

/** What was read: the files, and those that can’t be. */
export interface Brought {
  readonly files: readonly IncomingFile[];
  readonly refused: readonly Refused[];
  /** Whether there was a folder or an archive, whose files belong together. */
  readonly isFolder: boolean;
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const getFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** Browsers list a folder in parts. */
const listFolder = async (
  folder: FileSystemDirectoryEntry,
): Promise<readonly FileSystemEntry[]> => {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    entries.push(...some);
    if (some.length === 0 || entries.length > maxZipEntries) return entries;
  }
};

/** Reads the files of a folder and those in it. Bounded, because a folder may be anyone’s whole disk. */
const readFolder = async (folder: FileSystemDirectoryEntry): Promise<readonly IncomingFile[]> => {
  const files: IncomingFile[] = [];
  const folders = [folder];
  let seen = 0;
  for (const one of folders) {
    for (const entry of await listFolder(one)) {
      const path = entry.fullPath.slice(1);
      seen += 1;
      if (seen > maxZipEntries || files.length > maxFiles) return files;
      if (isLeftOut(path)) continue;
      if (isFolder(entry)) folders.push(entry);
      else if (isFile(entry)) files.push({ path, bytes: await getFile(entry) });
    }
  }
  return files;
};

const isArchive = ({ name, type }: File): boolean =>
  /\.zip$/i.test(name) || type === 'application/zip';

const unpack = async (
  archive: File,
  onProgress: (name: string, part: number) => void,
): Promise<Pick<Brought, 'files' | 'refused'>> => {
  const { name } = archive;
  onProgress(name, 0);
  const { files, refused } = await runTask({ task: 'unzip', archive }, (part) =>
    onProgress(name, part),
  );
  return { files: files.map(({ path, bytes }) => ({ path, bytes: new Blob([bytes]) })), refused };
};

/**
 * Reads what was brought: folders with all that is in them, and archives unpacked. With `isFirst`, the one folder at the top
 * that all files are in is left out.
 */
export const readFound = async (
  found: readonly Found[],
  isFirst: boolean,
  onProgress: (name: string, part: number) => void,
): Promise<Brought> => {
  const files: IncomingFile[] = [];
  const refused: Refused[] = [];
  let hasFolder = false;
  for (const one of found) {
    const { name } = one;
    try {
      if (!(one instanceof File)) {
        hasFolder = true;
        if (isFolder(one)) files.push(...(await readFolder(one)));
      } else if (isArchive(one)) {
        hasFolder = true;
        const unpacked = await unpack(one, onProgress);
        files.push(...unpacked.files);
        refused.push(...unpacked.refused);
      } else {
        hasFolder ||= one.webkitRelativePath !== '';
        files.push({ path: one.webkitRelativePath || name, bytes: one });
      }
    } catch (error) {
      const why =
        error instanceof Error && !(error instanceof DOMException) ? ` ${error.message}` : '';
      refused.push({ path: name, message: texts.unreadable(name) + why });
    }
  }
  const tidy = isFirst
    ? tidyPaths(files)
    : files
        .map((file) => ({ ...file, path: file.path.normalize('NFC') }))
        .filter(({ path }) => !isLeftOut(path));
  return { files: tidy, refused, isFolder: hasFolder };
};
