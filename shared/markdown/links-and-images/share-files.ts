import { encodePath } from '../../share-files/addresses.ts';
import { findFile, resolveReference } from '../../share-files/references.ts';
import { escapeHtml } from '../../text/html.ts';
import type { PageWithFiles } from './addresses.ts';
import { fileScheme } from './file-addresses.ts';

/** Creates the place of a page that has these files beside it. `main` is the path of the page. */
export const createPageWithFiles = (main: string, files: readonly string[]): PageWithFiles => {
  const paths = new Set(files);
  return {
    toFile: (address) => {
      const target = resolveReference(main, address);
      const file = target && findFile(paths, target.path);
      if (file === undefined) return undefined;
      const [suffix = ''] = /[?#].*/s.exec(address) ?? [];
      return `${fileScheme}${encodePath(file)}${escapeHtml(suffix)}`;
    },
  };
};
