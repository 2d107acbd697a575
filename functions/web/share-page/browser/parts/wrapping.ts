import { updateTabStops } from '../../../browser/code-blocks.ts';
import { wrapsLines } from '../../../browser/shell/preferences.ts';

/** Shows the switches that wrap long lines of all code of a text, as the reader chose on this device. */
export const enableWrapping = (root: HTMLElement): void => {
  const switches = root.querySelectorAll<HTMLElement>('[data-wraps-lines]');
  const show = (isOn: boolean): void => {
    root.classList.toggle('wraps', isOn);
    for (const one of switches) one.ariaPressed = String(isOn);
    updateTabStops(root);
  };
  for (const one of switches) one.hidden = false;
  show(wrapsLines.read());
  root.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element && target.closest('[data-wraps-lines]');
    if (!pressed) return;
    const before = pressed.getBoundingClientRect().top;
    const isOn = pressed.ariaPressed !== 'true';
    wrapsLines.write(isOn);
    show(isOn);
    // What is above changes its height, too, and the switch stays under the pointer.
    scrollBy({ top: pressed.getBoundingClientRect().top - before, behavior: 'instant' });
  });
};
