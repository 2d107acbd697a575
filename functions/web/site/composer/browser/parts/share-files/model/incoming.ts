import {
  maxFileBytes,
  maxFiles,
  maxFilesBytes,
  maxHtmlBytes,
} from '../../../../../../../../shared/share-files/limits.ts';
import { checkPaths } from '../../../../../../../../shared/share-files/paths.ts';
import { getFileType, getPageKind } from '../../../../../../../../shared/share-files/types.ts';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';
import { type DraftFile, isEditable } from './draft-file.ts';
import { formatSize } from './sizes.ts';

/** A file that was not taken, and why. */
export interface Refused {
  readonly path: string;
  /** A full sentence. */
  readonly message: string;
}

/** A file that comes in: read of its disk or of an archive. */
export interface IncomingFile {
  readonly path: string;
  readonly bytes: Blob;
}

interface Sized {
  readonly path: string;
  readonly size: number;
}

const findSizeProblem = ({ size }: Sized, isMain: boolean): string | undefined => {
  const most = isMain ? maxHtmlBytes : maxFileBytes;
  return size > most ? texts.tooLarge(formatSize(size), formatSize(most)) : undefined;
};

/** Parts files with those that are too large unless they are the main page. */
export const partBySize = <File extends Sized>(
  files: readonly File[],
  main: string | undefined,
): { readonly taken: readonly File[]; readonly refused: readonly Refused[] } => {
  const refused = files.flatMap((file) => {
    const message = file.path === main ? undefined : findSizeProblem(file, false);
    return message === undefined ? [] : { path: file.path, message };
  });
  const isRefused = (file: File) => refused.some(({ path }) => path === file.path);
  return { taken: files.filter((file) => !isRefused(file)), refused };
};

const findOwnProblem = (file: Sized): string | undefined => {
  // A page may become the main one.
  const isPage = getPageKind(file.path) === 'html';
  return findSizeProblem(file, isPage) ?? checkPaths([file], () => isPage)[0]?.message;
};

/** Takes files one after another while there is room. Those of a path that is there take its place. */
const takeWithinLimits = <File extends Sized>(
  present: readonly Sized[],
  incoming: readonly File[],
): { readonly taken: readonly File[]; readonly refused: readonly Refused[] } => {
  const sizes = new Map(present.map(({ path, size }) => [path, size]));
  let bytes = present.reduce((sum, { size }) => sum + size, 0);
  const taken = new Map<string, File>();
  const refused: Refused[] = [];
  for (const file of incoming) {
    const { path, size } = file;
    const message =
      findOwnProblem(file) ??
      (!sizes.has(path) && sizes.size >= maxFiles ? texts.tooMany(maxFiles) : undefined) ??
      (bytes - (sizes.get(path) ?? 0) + size > maxFilesBytes
        ? texts.noRoom(formatSize(maxFilesBytes))
        : undefined);
    if (message !== undefined) {
      refused.push({ path, message });
      continue;
    }
    bytes += size - (sizes.get(path) ?? 0);
    sizes.set(path, size);
    taken.set(path, file);
  }
  return { taken: [...taken.values()], refused };
};

/**
 * Decides which files come beside those that are there: each within the limits of a share, at a valid path. A file at a
 * path that is there takes its place; twins by case, and files that are folders of others, are refused.
 */
export const takeFiles = <File extends Sized>(
  present: readonly Sized[],
  incoming: readonly File[],
): { readonly taken: readonly File[]; readonly refused: readonly Refused[] } => {
  const { taken, refused } = takeWithinLimits(present, incoming);
  const collisions: Refused[] = [];
  let rest = taken;
  for (;;) {
    const isNew = (path: string) => rest.some((file) => file.path === path);
    const all = [...present.filter(({ path }) => !isNew(path)), ...rest];
    const problem = checkPaths(all, (path) => getPageKind(path) === 'html').find(
      ({ path }) => path !== '',
    );
    const isPartOf = ({ path }: Sized) =>
      path === problem?.path || path.startsWith(`${problem?.path}/`);
    const clashing = problem && rest.find(isPartOf);
    if (!problem || !clashing) break;
    collisions.push({ path: clashing.path, message: problem.message });
    rest = rest.filter((file) => file !== clashing);
  }
  return { taken: rest, refused: [...refused, ...collisions] };
};

/** How many bytes tell the type of a file. */
const signatureBytes = 16;

/** Returns the text of a file that can be edited; `undefined` for another one, and for one that isn’t in UTF-8. */
export const readText = async (
  file: Pick<DraftFile, 'type' | 'size'>,
  bytes: Blob,
): Promise<string | undefined> => {
  if (!isEditable(file)) return undefined;
  const text = await bytes.text();
  return text.includes('\ufffd') ? undefined : text;
};

/** Reads what kind of file one is, and its text. @throws DOMException if it can’t be read any more */
export const toDraftFile = async ({ path, bytes }: IncomingFile): Promise<DraftFile> => {
  const first = new Uint8Array(await bytes.slice(0, signatureBytes).arrayBuffer());
  const file = { path, size: bytes.size, type: getFileType(path, first) };
  const text = await readText(file, bytes);
  return { ...file, bytes, ...(text !== undefined && { text }) };
};

/** Returns a name that no file has: `image.png`, `image-2.png`. */
export const findFreePath = (path: string, taken: readonly string[]): string => {
  const folded = new Set(taken.map((one) => one.toLowerCase()));
  const [, start = '', ending = ''] = /^(.*?)(\.[^./]+)?$/s.exec(path) ?? [];
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? path : `${start}-${count}${ending}`;
    if (!folded.has(candidate.toLowerCase())) return candidate;
  }
};

/** Gives files that were chosen for missing ones their paths, by their names; others keep their own. Paths may begin at the root. */
export const placeMissing = <File extends { readonly path: string }>(
  chosen: readonly File[],
  missing: readonly string[],
): readonly File[] => {
  const left = missing.map((path) => path.replace(/^(\/|\.\.\/)+/, ''));
  return chosen.map((file) => {
    const name = file.path.slice(file.path.lastIndexOf('/') + 1).toLowerCase();
    const at = left.findIndex(
      (path) => path.slice(path.lastIndexOf('/') + 1).toLowerCase() === name,
    );
    const [path] = at < 0 ? [] : left.splice(at, 1);
    return path === undefined ? file : { ...file, path };
  });
};
