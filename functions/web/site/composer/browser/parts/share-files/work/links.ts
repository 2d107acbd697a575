import {
  findBase,
  findFile,
  findReferences,
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
  const base = findBase(from, references, paths).from;
  return references.flatMap(({ url, start, end, kind }) => {
    const target = base === undefined ? undefined : resolveReference(base, url);
    if (!target || kind === 'base') return [];
    const path = findFile(paths, target.path) ?? target.path;
    // Texts of scripts may be anything.
    return kind === 'literal' && !paths.has(path) ? [] : { path, url, start, end, kind };
  });
};
