/** Focuses a button of a list whose own was removed: that of the item which took its place, or else the title. */
export const focusButton = (listId: string, at: number): void => {
  // The list is as it should be after the next rendering.
  setTimeout(() => {
    const list = document.getElementById(listId);
    const buttons = list?.querySelectorAll<HTMLElement>('button') ?? [];
    const title = document.querySelector<HTMLElement>('.parts h2');
    (buttons[Math.min(at, buttons.length - 1)] ?? title)?.focus();
  });
};
