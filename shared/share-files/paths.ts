import { formatBytes } from '../text/format-bytes.ts';
import { lineRules } from '../text/text-rules.ts';
import { toVisibleLine } from '../text/visible.ts';
import {
  maxFileBytes,
  maxFiles,
  maxFilesBytes,
  maxHtmlBytes,
  maxHtmlGzipBytes,
  maxPathLength,
} from './limits.ts';
import { getPageKind } from './types.ts';

/** What is wrong with a file, or with all of them. */
export interface PathProblem {
  /** The path of the file; empty if it is about all files. */
  readonly path: string;
  /** A full sentence that names the path: what is wrong, then what to do. */
  readonly message: string;
  /** Whether it is about size or number: a 413 instead of a 400. */
  readonly isTooLarge?: true;
}

interface SizedPath {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** The longest path that a message names in full. UTF-16 units. */
const maxShownLength = 220;

/** Quotes a path for a message, without what a terminal would obey. */
export const showPath = (path: string): string =>
  `“${toVisibleLine(path.length > maxShownLength ? `${path.slice(0, maxShownLength)}…` : path).toWellFormed()}”`;

const findNameProblem = (path: string): string | undefined => {
  const shown = showPath(path);
  if (path === '') return 'A file has no path. Name it.';
  if (path.length > maxPathLength)
    return `${shown} is too long. A path can have ${maxPathLength} characters.`;
  if (path.includes('\\')) return `${shown} contains a backslash. Separate folders by “/”.`;
  if (path.startsWith('/') || /^[a-z]:(\/|$)/i.test(path))
    return `${shown} isn’t relative. Start at the root of the share, without “/” or drive.`;
  const segments = path.split('/');
  if (segments.some((name) => name === '.' || name === '..'))
    return `${shown} contains “.” or “..”. Write the path without it.`;
  if (segments.includes('')) return `${shown} has an empty folder or file name. Name each.`;
  const rule = lineRules.find(({ isMet }) => !isMet(path));
  if (rule) return `${shown} ${rule.message}. Rename the file.`;
  if (path !== path.normalize('NFC')) return `${shown} isn’t in Unicode form NFC. Normalize it.`;
  return undefined;
};

const findSizeProblem = ({ path, size }: SizedPath, isMain: boolean): string | undefined => {
  const isHtml = isMain && getPageKind(path) === 'html';
  if (size <= (isHtml ? maxHtmlBytes : maxFileBytes)) return undefined;
  const exceeded = `${showPath(path)} has ${formatBytes(size)}.`;
  if (!isHtml) return `${exceeded} A file can have ${formatBytes(maxFileBytes)}.`;
  return `${exceeded} A page can have ${formatBytes(maxHtmlBytes)}, and ${formatBytes(maxHtmlGzipBytes)} of gzip. Move its images, styles, scripts and data to files of their own.`;
};

const foldCase = (path: string): string => path.normalize('NFC').toLowerCase();

/** Finds files that can’t exist beside others, as on disks that ignore case. */
const findCollisions = (paths: readonly string[]): PathProblem[] => {
  const byFolded = new Map<string, string>();
  const problems: PathProblem[] = [];
  for (const path of paths) {
    const other = byFolded.get(foldCase(path));
    if (other === undefined) byFolded.set(foldCase(path), path);
    else if (other === path)
      problems.push({ path, message: `${showPath(path)} is there twice. Leave one out.` });
    else
      problems.push({
        path,
        message: `${showPath(other)} and ${showPath(path)} can’t both exist. Rename one.`,
      });
  }
  const reported = new Set<string>();
  for (const path of paths) {
    const folded = foldCase(path);
    for (let at = folded.indexOf('/'); at !== -1; at = folded.indexOf('/', at + 1)) {
      const file = byFolded.get(folded.slice(0, at));
      if (file === undefined || reported.has(file)) continue;
      reported.add(file);
      const message = `${showPath(file)} can’t be both a file and a folder. Rename one.`;
      problems.push({ path: file, message });
    }
  }
  return problems;
};

/**
 * Returns all that is wrong with the paths, sizes and number of files: a path is relative, in NFC, of at most 200 characters,
 * and without `.`, `..`, empty names, backslashes and control characters; no two differ by case only, and none is a folder of
 * another. `main` is the path of the main page, which can be larger if it is HTML, or a function that returns whether a path can
 * be it. If there are too many files, nothing else is checked.
 */
export const checkPaths = (
  files: readonly SizedPath[],
  main?: string | ((path: string) => boolean),
): PathProblem[] => {
  if (files.length > maxFiles) {
    const message = `There are ${files.length} files. A share can have ${maxFiles}.`;
    return [{ path: '', message, isTooLarge: true }];
  }
  const problems: PathProblem[] = [];
  for (const file of files) {
    const { path } = file;
    const message = findNameProblem(path);
    if (message !== undefined) problems.push({ path, message });
    const size = findSizeProblem(file, typeof main === 'function' ? main(path) : path === main);
    if (size !== undefined) problems.push({ path, message: size, isTooLarge: true });
  }
  problems.push(
    ...findCollisions(files.map(({ path }) => path).filter((path) => !findNameProblem(path))),
  );
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > maxFilesBytes) {
    const message = `The files have ${formatBytes(bytes)}. A share can have ${formatBytes(maxFilesBytes)}.`;
    problems.push({ path: '', message, isTooLarge: true });
  }
  return problems;
};

/** Files that systems add to folders. */
const systemNames: ReadonlySet<string> = new Set(['__macosx', 'thumbs.db', 'desktop.ini']);

/** Whether a file was added by a system or editor: dot-files such as `.DS_Store` and `.git/config`, and those of systems. */
export const isLeftOut = (path: string): boolean =>
  path
    .split(/[/\\]/)
    .some(
      (name) =>
        systemNames.has(name.toLowerCase()) || (name.startsWith('.') && !/^\.\.?$/.test(name)),
    );

/** Returns the folder that all paths are in, with its slash; empty if there is none. */
const findCommonFolder = (paths: readonly string[]): string => {
  const [first = ''] = paths;
  const folder = first.slice(0, first.indexOf('/') + 1);
  return /^(\/|\.\.\/)?$/.test(folder) || paths.some((path) => !path.startsWith(folder))
    ? ''
    : folder;
};

/**
 * Prepares the files of a folder or archive: leaves out dot-files, `__MACOSX`, `Thumbs.db` and `desktop.ini`, puts paths into NFC,
 * removes a leading `./`, and removes the folder at the top if all files are in it. Keeps the order. `checkPaths` comes after it.
 */
export const tidyPaths = <File extends { readonly path: string }>(
  files: readonly File[],
): File[] => {
  const kept = files
    .map((file) => ({ ...file, path: file.path.normalize('NFC').replace(/^(\.\/)+/, '') }))
    .filter(({ path }) => !isLeftOut(path));
  const folder = findCommonFolder(kept.map(({ path }) => path));
  return kept.map((file) => ({ ...file, path: file.path.slice(folder.length) }));
};

/** Sorts pages at the root first, then those named `index`, then those named `readme`, then by path. */
const comparePages = (one: string, other: string): number => {
  const rank = (path: string): number => {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    const named = name.startsWith('index.') ? 0 : 1;
    return path.split('/').length * 4 + (named && name.startsWith('readme.') ? 1 : named * 2);
  };
  return rank(one) - rank(other) || (one < other ? -1 : Number(one > other));
};

/** The main page, or the files that can be it, best first: several of them, or none. */
export type MainChoice =
  | { readonly main: string; readonly candidates?: never }
  | { readonly main?: never; readonly candidates: readonly string[] };

/**
 * Chooses the main page of paths that `tidyPaths` returned: `index.html` at the root, or the only HTML or Markdown file. Of
 * several it returns the candidates; the API takes the first of them, and a person is asked. None: the share has no page.
 */
export const chooseMain = (paths: readonly string[]): MainChoice => {
  const index = paths.find((path) => path.toLowerCase() === 'index.html');
  if (index !== undefined) return { main: index };
  const candidates = paths.filter((path) => getPageKind(path) !== undefined).sort(comparePages);
  const [main] = candidates;
  return main !== undefined && candidates.length === 1 ? { main } : { candidates };
};
