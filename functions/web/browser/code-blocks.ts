/**
 * Returns the text of the code block around a button, as it was written: the last line ending belongs to the text of a
 * file, and else to the fence.
 */
export const readCode = (button: Element): string => {
  const code = button.closest('figure')?.querySelector('code');
  if (!code) return '';
  const { file, unended } = code.dataset;
  const isWhole = file !== undefined && unended === undefined;
  return isWhole ? code.textContent : code.textContent.replace(/\r\n?$|\n$/, '');
};

/** Shows the buttons of code blocks in a rendered text. */
export const showCodeCopies = (root: HTMLElement): void => {
  for (const button of root.querySelectorAll<HTMLElement>('[data-copies-code]')) {
    button.hidden = false;
  }
};

/** Shows the buttons of code blocks in a rendered text, and makes them work. `run` copies the code of the pressed one and tells the result. */
export const enableCodeCopies = (
  root: HTMLElement,
  run: (copy: () => Promise<void>) => void,
): void => {
  showCodeCopies(root);
  root.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[data-copies-code]');
    if (button) run(() => navigator.clipboard.writeText(readCode(button)));
  });
};

/** Makes boxes of a rendered text focusable only while they scroll. */
export const updateTabStops = (root: HTMLElement): void => {
  for (const box of root.querySelectorAll('pre, .scroll, .tml-wide')) {
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    if (scrolls) box.setAttribute('tabindex', '0');
    else box.removeAttribute('tabindex');
  }
};
