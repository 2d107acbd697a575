import {
  findReferences,
  resolveReference,
} from '../../../../../../../../shared/share-files/references.ts';
import type { PreviewTarget } from '../model/preview-parts.ts';

/** Finds the references of a text to files of the share; a folder stands for its `index.html`. */
export const findTargets = (
  from: string,
  text: string,
  paths: ReadonlySet<string>,
): readonly PreviewTarget[] =>
  findReferences(from, text).flatMap(({ url, start, end, kind }) => {
    const path = resolveReference(from, url)?.path;
    if (path === undefined) return [];
    const index = `${path}${path === '' || path.endsWith('/') ? '' : '/'}index.html`;
    return {
      path: !paths.has(path) && paths.has(index) ? index : path,
      url,
      start,
      end,
      isLink: kind === 'link',
      isImage: kind === 'image',
    };
  });
