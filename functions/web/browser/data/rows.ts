/** Returns the position of the row that has the focus; -1 without one. */
export const findFocusedRow = (): number =>
  [...document.querySelectorAll('main :is(tbody tr, .entries > li)')].findIndex((row) =>
    row.contains(document.activeElement),
  );

/** Moves the focus to the name in a row: to the last one, if there are fewer. */
export const focusShownRow = (at: number): void => {
  const names = document.querySelectorAll<HTMLElement>('main :is(td.m a, .entries > li > .entry)');
  (names[Math.min(at, names.length - 1)] ?? document.querySelector('main'))?.focus();
};

/** Moves the focus to a row as it is after the next rendering. */
export const focusRow = (at: number): void => {
  setTimeout(() => focusShownRow(at));
};
