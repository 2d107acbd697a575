/** Returns the text of the code block around a button, as it was written. */
const readCode = (button: Element): string =>
  button.closest('figure')?.querySelector('code')?.textContent.replace(/\n$/, '') ?? '';

/** Shows the buttons of code blocks in a rendered text. `run` copies the code of the pressed one and tells the result. */
export const enableCodeCopies = (
  root: HTMLElement,
  run: (copy: () => Promise<void>) => void,
): void => {
  for (const button of root.querySelectorAll<HTMLElement>('[data-copies-code]')) {
    button.hidden = false;
  }
  root.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[data-copies-code]');
    if (button) run(() => navigator.clipboard.writeText(readCode(button)));
  });
};

/** Makes boxes of a rendered text focusable only while they scroll. */
export const updateTabStops = (root: HTMLElement): void => {
  for (const box of root.querySelectorAll('pre, .scroll')) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute('tabindex', '0');
    else box.removeAttribute('tabindex');
  }
};
