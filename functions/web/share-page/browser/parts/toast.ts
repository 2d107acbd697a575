/** How long a message stays (ms), unless the pointer is on it. */
const shownMs = 6_000;

const place = document.querySelector<HTMLElement>('.toasts');

/** Shows a message at the bottom, which replaces the previous one. */
const show = (message: string, className: string): void => {
  const toast = document.createElement('p');
  toast.className = className;
  toast.textContent = message;
  place?.replaceChildren(toast);
  const hide = () => toast.remove();
  let timer = setTimeout(hide, shownMs);
  toast.addEventListener('pointerenter', () => clearTimeout(timer));
  toast.addEventListener('pointerleave', () => {
    timer = setTimeout(hide, shownMs);
  });
};

/** Shows what went wrong. */
export const showFailure = (message: string): void => show(message, 'toast bad');

/** Copies, and tells whether it worked: without https there is no clipboard. */
export const copyAndTell = async (
  copy: () => Promise<unknown>,
  done: string,
  failed: string,
): Promise<void> => {
  try {
    await copy();
    show(done, 'toast');
  } catch {
    showFailure(failed);
  }
};
