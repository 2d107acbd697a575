import type { Manifest, ManifestFile } from '../../../api/share/files/manifest.ts';

/** What is at a path below a share: a file, or a folder whose address ends with a slash. */
export type Found = { readonly file: ManifestFile } | { readonly folder: string };

const index = 'index.html';

/**
 * Finds what is at a decoded path: a file, the `index.html` of a folder, or for the empty path the main page. Paths are exact, but
 * for the form of their Unicode, which differs by who wrote the reference.
 */
export const findFile = ({ main, files }: Manifest, path: string): Found | undefined => {
  const wanted = path.normalize('NFC');
  const find = (name: string) => files.find((file) => file.path === name);
  const isFolder = wanted === '' || wanted.endsWith('/');
  const file = find(isFolder ? `${wanted}${index}` : wanted);
  if (file) return { file };
  // A main page that is not at the top has its references from where it is.
  if (wanted === '') return { folder: main };
  return !isFolder && find(`${wanted}/${index}`) ? { folder: `${wanted}/` } : undefined;
};
