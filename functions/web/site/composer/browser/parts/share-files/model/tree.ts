import { getFolder, getName } from './draft-file.ts';

/** A row of the tree: a file or a folder. */
export interface TreeRow {
  /** Without a slash at the end. */
  readonly path: string;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly isFolder: boolean;
  /** Whether the rows of a folder are shown. */
  readonly isExpanded: boolean;
  /** The position among its siblings, from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
}

const collator = new Intl.Collator('en', { numeric: true });

/** What is directly in a folder: files first, the main page before all. */
const listFolder = (paths: readonly string[], folder: string, main: string) => {
  const inside = paths.filter((path) => path.startsWith(folder));
  const files = inside.filter((path) => !path.slice(folder.length).includes('/'));
  const folders = new Set(
    inside
      .filter((path) => path.slice(folder.length).includes('/'))
      .map((path) => path.slice(0, path.indexOf('/', folder.length))),
  );
  const sort = (some: Iterable<string>) =>
    [...some].sort(
      (one, other) => Number(other === main) - Number(one === main) || collator.compare(one, other),
    );
  return [
    ...sort(files).map((path) => ({ path, isFolder: false })),
    ...sort(folders).map((path) => ({ path, isFolder: true })),
  ];
};

/** Lists the rows of a tree in their order; those of collapsed folders are left out. */
export const listRows = (
  paths: readonly string[],
  main: string,
  collapsed: ReadonlySet<string>,
): readonly TreeRow[] => {
  const list = (folder: string, level: number): TreeRow[] => {
    const entries = listFolder(paths, folder, main);
    return entries.flatMap(({ path, isFolder }, at) => {
      const isExpanded = isFolder && !collapsed.has(path);
      const row = {
        path,
        name: getName(path),
        level,
        isFolder,
        isExpanded,
        position: at + 1,
        siblings: entries.length,
      };
      return [row, ...(isExpanded ? list(`${path}/`, level + 1) : [])];
    });
  };
  return list('', 1);
};

/** What a key does in a tree: the row that gets the focus, or a folder that is expanded or collapsed. */
export type TreeMove = { readonly focus: string } | { readonly toggle: string } | undefined;

const findByLetter = (rows: readonly TreeRow[], at: number, letter: string): string | undefined =>
  [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(({ name }) =>
    name.toLowerCase().startsWith(letter.toLowerCase()),
  )?.path;

const toFocus = (path: string | undefined): TreeMove =>
  path === undefined ? undefined : { focus: path };

/**
 * Returns what a key does at a row, as in trees of desktops (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/): arrows,
 * Home, End and first letters.
 */
export const moveInTree = (rows: readonly TreeRow[], path: string, key: string): TreeMove => {
  const at = rows.findIndex((row) => row.path === path);
  const row = rows[at];
  if (!row) return undefined;
  switch (key) {
    case 'ArrowDown':
      return toFocus(rows[at + 1]?.path);
    case 'ArrowUp':
      return toFocus(rows[at - 1]?.path);
    case 'Home':
      return toFocus(rows[0]?.path);
    case 'End':
      return toFocus(rows.at(-1)?.path);
    case 'ArrowRight':
      if (!row.isFolder) return undefined;
      return row.isExpanded ? toFocus(rows[at + 1]?.path) : { toggle: path };
    case 'ArrowLeft':
      if (row.isFolder && row.isExpanded) return { toggle: path };
      return toFocus(getFolder(path).slice(0, -1) || undefined);
    default:
      return /^\S$/u.test(key) ? toFocus(findByLetter(rows, at, key)) : undefined;
  }
};

/** Returns the row that gets the focus once others are gone: the next one, or the one before. */
export const findNeighbor = (
  rows: readonly TreeRow[],
  path: string,
  isGone: (path: string) => boolean,
): string | undefined => {
  const at = rows.findIndex((row) => row.path === path);
  const after = rows.slice(at + 1).find((row) => !isGone(row.path));
  return (after ?? rows.slice(0, at).findLast((row) => !isGone(row.path)))?.path;
};
