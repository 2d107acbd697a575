import { signal } from '@preact/signals';
import { afterRendering } from '../../../../../../browser/after-rendering.ts';
import { remove } from '../actions.ts';
import { findNeighbor, listRows } from '../model/tree.ts';
import { allFiles, main } from '../set.ts';

/** The folders whose rows are hidden. */
export const collapsed = signal<ReadonlySet<string>>(new Set());

/** The row that Tab leads to. */
export const current = signal('');

/** The row whose name is being edited, and what is wrong with the new one. */
export const editing = signal<{ readonly path: string; readonly error?: string } | undefined>(
  undefined,
);

/** Where the tree is. */
export const place: { tree?: HTMLElement | undefined } = {};

/** Moves the focus to a row. */
export const focusRow = (path: string): void => {
  current.value = path;
  // Its row may be rendered only now.
  afterRendering(() =>
    place.tree?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus(),
  );
};

/** Collapses or expands a folder. */
export const toggle = (path: string): void => {
  const next = new Set(collapsed.value);
  if (!next.delete(path)) next.add(path);
  collapsed.value = next;
};

/** Removes a row; the focus goes to the next one. */
export const removeRow = (path: string): void => {
  const rows = listRows(
    allFiles.value.map((file) => file.path),
    main.value,
    collapsed.value,
  );
  const next = findNeighbor(rows, path, (one) => one === path || one.startsWith(`${path}/`));
  remove(path);
  focusRow(allFiles.value.some((file) => file.path === path) ? path : (next ?? main.value));
};

/** Starts to edit the name of a row. */
export const editName = (path: string): void => {
  editing.value = { path };
};
