import {
  findFile,
  findReferences,
  getBase,
  resolveReference,
} from '../../../../../../../../shared/share-files/references.ts';
import type { PreviewTarget } from '../model/preview-parts.ts';

/** Finds the references of a text to files of the share, and to files that could be there; a folder stands for its `index.html`. */
export const findTargets = (
  from: string,
  text: string,
  paths: ReadonlySet<string>,
): readonly PreviewTarget[] => {
  const references = findReferences(from, text);
  const base = getBase(from, references);
  return references.flatMap(({ url, start, end, kind }) => {
    // Imports are resolved from the script or page itself.
    const origin = kind === 'import' ? from : base;
    const target = origin === undefined ? undefined : resolveReference(origin, url);
    if (!target || kind === 'base') return [];
    const path = findFile(paths, target.path) ?? target.path;
    // Texts of scripts may be anything.
    return kind === 'literal' && !paths.has(path) ? [] : { path, url, start, end, kind };
  });
};
