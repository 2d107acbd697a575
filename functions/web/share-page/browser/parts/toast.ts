/** How long a message stays (ms), unless the pointer or the focus is in it. */
const shownMs = 6_000;

/** Shows a message at the bottom, which replaces the previous one unless that has a button. Returns it. */
const show = (message: string, className: string): HTMLElement => {
  // The page may have come later than this script.
  const place = document.querySelector<HTMLElement>('.toasts');
  const toast = document.createElement('p');
  toast.className = className;
  toast.textContent = message;
  place?.querySelector('.toast:not(:has(button))')?.remove();
  place?.append(toast);
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => clearTimeout(timer);
  const hideLater = () => {
    wait();
    timer = setTimeout(() => toast.remove(), shownMs);
  };
  for (const type of ['pointerenter', 'focusin']) toast.addEventListener(type, wait);
  for (const type of ['pointerleave', 'focusout']) toast.addEventListener(type, hideLater);
  hideLater();
  return toast;
};

/** Shows what has happened. Returns the message, which may get a button. */
export const showMessage = (message: string): HTMLElement => show(message, 'toast');

/** Shows what went wrong. */
export const showFailure = (message: string): void => void show(message, 'toast bad');

/** Copies, and tells whether it worked: without https there is no clipboard. */
export const copyAndTell = async (
  copy: () => Promise<unknown>,
  done: string,
  failed: string,
): Promise<void> => {
  try {
    await copy();
    showMessage(done);
  } catch {
    showFailure(failed);
  }
};
