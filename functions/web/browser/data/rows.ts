/** Returns the position of the row that has the focus; -1 without one. */
export const findFocusedRow = (): number =>
  [...document.querySelectorAll('main tbody tr')].findIndex((row) =>
    row.contains(document.activeElement),
  );

/** Moves the focus to the name in a row, as it is after the next rendering: to the last one, if there are fewer. */
export const focusRow = (at: number): void => {
  setTimeout(() => {
    const names = document.querySelectorAll<HTMLElement>('main td.m a');
    (names[Math.min(at, names.length - 1)] ?? document.querySelector('main'))?.focus();
  });
};
