/**
 * Shows a notice in the place of a snippet that tried to navigate its frame elsewhere: the page's policy blocks that, and the
 * browser would show its own error. Its events come from the browser, so a snippet can't forge them.
 */
export const watchNavigation = (frame: HTMLIFrameElement, notice: HTMLElement): void => {
  const show = (isLeft: boolean): void => {
    frame.hidden = isLeft;
    notice.hidden = !isLeft;
  };
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective === 'frame-src') show(true);
  });
  notice.querySelector('button')?.addEventListener('click', () => {
    // The token of a counted view may have expired: the page asks then.
    if (new URL(frame.src).search !== '') return location.reload();
    show(false);
    const { src } = frame;
    frame.src = src;
    frame.focus();
  });
};
