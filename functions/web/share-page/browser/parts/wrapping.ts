import { updateTabStops } from '../../../browser/code-blocks.ts';
import { wrapsLines } from '../../../browser/shell/preferences.ts';
import { onExchange } from './live/exchanges.ts';

/** Shows the switches that wrap long lines of all code of a text, as the reader chose on this device. */
export const enableWrapping = (root: HTMLElement): void => {
  const show = (isOn: boolean): void => {
    root.classList.toggle('wraps', isOn);
    for (const one of root.querySelectorAll<HTMLElement>('[data-wraps-lines]')) {
      one.hidden = false;
      one.ariaPressed = String(isOn);
    }
    updateTabStops(root);
  };
  const showChosen = () => show(wrapsLines.read());
  showChosen();
  onExchange(showChosen);
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
