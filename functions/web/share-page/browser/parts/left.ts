/** What the address of a frame has if it has a token: a query, or the beginning of a JWT before the path of a file. */
const token = /[?]|eyJ/;

const reloadFrame = (frame: HTMLIFrameElement): void => {
  const { src } = frame;
  frame.src = src;
};

/**
 * Shows a notice in the place of a snippet that navigated its frame. The page's policy blocks other hosts, for which the
 * browser would show its own error; unknown addresses of the snippets host tell the page themselves, which a snippet can
 * forge to hide itself. `reload` shows the snippet again.
 */
export const watchNavigation = (
  frame: HTMLIFrameElement,
  notice: HTMLElement,
  reload = () => reloadFrame(frame),
): void => {
  const show = (isLeft: boolean): void => {
    frame.hidden = isLeft;
    notice.hidden = !isLeft;
  };
  const follow = ({ effectiveDirective }: { readonly effectiveDirective?: string }): void => {
    if (effectiveDirective === 'frame-src') show(true);
  };
  document.addEventListener('securitypolicyviolation', follow);
  // Tells also what was blocked before this script ran.
  if ('ReportingObserver' in self) {
    const tell = (reports: Report[]): void => {
      for (const { body } of reports) follow(body ?? {});
    };
    new ReportingObserver(tell, { types: ['csp-violation'], buffered: true }).observe();
  }
  addEventListener('message', ({ source, data }) => {
    if (source === frame.contentWindow && data === 'left') show(true);
  });
  notice.querySelector('button')?.addEventListener('click', () => {
    // The token of a counted view may have expired: the page asks then.
    if (token.test(frame.src)) return location.reload();
    show(false);
    reload();
    frame.focus();
  });
};
