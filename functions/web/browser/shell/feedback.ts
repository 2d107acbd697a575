import { shellTexts as texts } from './texts.ts';

/** A message in the corner. */
interface Toast {
  readonly text: string;
  /** A failure stays until the user closes it. */
  readonly isFailure?: boolean;
  readonly action?: { readonly label: string; readonly run: () => unknown };
}

const shownMs = 6_000;
const mostShown = 3;

const createButton = (label: string, run: () => unknown): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', run);
  return button;
};

/** Shows a message for 6 seconds, longer under the pointer or the focus. */
export const toast = ({ text, isFailure = false, action }: Toast): void => {
  const region = document.getElementById('toasts');
  if (!region) return;
  const item = document.createElement('div');
  item.className = isFailure ? 'toast bad' : 'toast';
  item.setAttribute('role', isFailure ? 'alert' : 'status');
  const close = () => item.remove();
  item.append(text);
  if (action) {
    item.append(
      createButton(action.label, () => {
        close();
        action.run();
      }),
    );
  }
  const cross = createButton('', close);
  cross.className = 'icon';
  cross.setAttribute('aria-label', texts.close);
  cross.append(Object.assign(document.createElement('i'), { className: 'i-x' }));
  item.append(cross);
  region.append(item);
  while (region.children.length > mostShown) region.firstElementChild?.remove();
  if (isFailure) return;
  let timer = setTimeout(close, shownMs);
  const hold = () => clearTimeout(timer);
  const release = () => {
    hold();
    timer = setTimeout(close, shownMs);
  };
  item.addEventListener('pointerenter', hold);
  item.addEventListener('pointerleave', release);
  item.addEventListener('focusin', hold);
  item.addEventListener('focusout', release);
};

/** Says that an action failed, and offers to repeat it. */
export const showFailure = (text: string, retry: () => unknown): void =>
  toast({ text, isFailure: true, action: { label: texts.tryAgain, run: retry } });
