/** What keys do, in words, and the keys: pressed one after the other, or each alone. */
export type KeyRow = readonly [label: string, keys: readonly string[]];

const groups = new Set<readonly KeyRow[]>();

/** Adds what keys do on this page to the list that `?` shows. Returns a function that removes it. */
export const describeKeys = (rows: readonly KeyRow[]): (() => void) => {
  groups.add(rows);
  return () => {
    groups.delete(rows);
  };
};

/** Lists what keys do on this page. */
export const listPageKeys = (): readonly KeyRow[] => [...groups].flat();
