import { maxMissing } from './limits.ts';
import type { Reference } from './reference.ts';
import { findBase, findFile, findReferences, resolveReference, type Target } from './references.ts';

/** A file that another refers to and that isn’t in the share. */
export interface MissingReference {
  /** As resolved; it begins with `/` if it was written from the root of the host, and with `../` if it is out of the share. */
  readonly path: string;
  /** The path of the file that refers to it, and the line, from 1. */
  readonly from: string;
  readonly line: number;
  /** How it can be found: a full sentence. */
  readonly advice?: string;
}

/** How builds write addresses that work wherever the files are. */
export const rootAdvice =
  "Paths from the root don’t work in a share. Build with relative paths, such as base: './' in Vite.";

/** Whether a path without its first folders is that of a file, as of builds for a folder of a host. */
const isMisplaced = (paths: ReadonlySet<string>, path: string): boolean => {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    if (paths.has(path.slice(at + 1))) return true;
  }
  return false;
};

const describeMissing = (
  { kind }: Reference,
  { path, isRoot }: Target,
  paths: ReadonlySet<string>,
): Pick<MissingReference, 'path' | 'advice'> | undefined => {
  const isFile = findFile(paths, path) !== undefined;
  if (kind === 'literal') {
    return paths.has(path) ? { path: `/${path}`, advice: rootAdvice } : undefined;
  }
  if (kind === 'base' || isFile) return undefined;
  if (!isRoot) return { path };
  return { path: `/${path}`, ...(isMisplaced(paths, path) && { advice: rootAdvice }) };
};

/**
 * Finds the files that are referred to and aren’t in the share: at most 100, each once for a file that refers to it, in the
 * order of the files. Paths from the root count as missing in scripts, because `rewriteRoots` changes none there.
 * @param files all files of the share, with the texts of those that `hasReferences`, before or after `rewriteRoots`
 */
export const findMissing = (
  files: readonly { readonly path: string; readonly text?: string | undefined }[],
): MissingReference[] => {
  const paths = new Set(files.map(({ path }) => path));
  const missing: MissingReference[] = [];
  for (const { path: from, text } of files) {
    if (text === undefined) continue;
    const references = findReferences(from, text);
    const base = findBase(from, references, paths);
    const seen = new Set<string>();
    for (const reference of references) {
      const { url, line } = reference;
      const target = base.from === undefined ? undefined : resolveReference(base.from, url);
      const found = target && describeMissing(reference, target, paths);
      if (!found || seen.has(found.path)) continue;
      seen.add(found.path);
      missing.push({ ...found, from, line });
      if (missing.length === maxMissing) return missing;
    }
  }
  return missing;
};
