import { findBase, findFile, findReferences, resolveReference } from './references.ts';
import { getFileType } from './types.ts';

/** Types whose addresses are the files’ own; those in scripts may be parts of other texts. */
const rewrittenTypes: ReadonlySet<string> = new Set(['text/html', 'text/css', 'image/svg+xml']);

/** Writes the way from a file to the root of the share. */
const toRoot = (from: string): string => '../'.repeat(from.split('/').length - 1) || './';

/**
 * Makes addresses from the root of the host relative in HTML, SVG and CSS, if they lead to files of the share: `/assets/a.css`
 * becomes `./assets/a.css`, because a share isn’t at the root of its host. So does a `<base>` from the root. Returns the same text
 * if there is nothing to change, and for other types. Addresses in scripts stay (see `findMissing`).
 * @param paths those of all files of the share
 */
export const rewriteRoots = (path: string, text: string, paths: ReadonlySet<string>): string => {
  if (!rewrittenTypes.has(getFileType(path))) return text;
  const references = findReferences(path, text);
  const base = findBase(path, references, paths);
  let written = '';
  let copied = 0;
  const replace = (start: number, end: number, by: string): void => {
    written += text.slice(copied, start) + by;
    copied = end;
  };
  for (const reference of references) {
    const { url, start, end, kind } = reference;
    const isOurs = kind !== 'literal' && kind !== 'import' && start >= copied;
    // An escaped slash stays, because its place isn't that of one character.
    if (!isOurs || text[start] !== '/' || base.from === undefined) continue;
    const target = resolveReference(path, url);
    if (!target?.isRoot) continue;
    if (reference === base.reference)
      replace(start, base.isReplaced ? end : start + 1, toRoot(path));
    else if (findFile(paths, target.path) !== undefined)
      replace(start, start + 1, toRoot(base.from));
  }
  return copied === 0 ? text : written + text.slice(copied);
};
