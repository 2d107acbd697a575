/** How long one must have had the page before oneself to have meant what is pressed. More than between a double click's two. ms. */
const seenMs = 500;

/**
 * Tells whether a person has had the page before them: visible and with the focus of its window for half a second. Another
 * window that covered it, or was closed between the clicks of a double click, could make them press what they don't see. Calls
 * `onChange` whenever it changes; at first nobody has.
 */
export const watchPresence = (onChange: (isPresent: boolean) => void): void => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = (): void => {
    clearTimeout(timer);
    onChange(false);
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
    timer = setTimeout(() => onChange(true), seenMs);
  };
  addEventListener('focus', check);
  addEventListener('blur', check);
  document.addEventListener('visibilitychange', check);
  check();
};

/** Waits until the page is visible, which one that is loaded ahead isn't. */
export const whenVisible = (): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    check();
  });
