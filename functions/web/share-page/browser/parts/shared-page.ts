/** Waits until the page is shown: a browser may load it before someone asks for it. */
const untilShown = async (): Promise<void> => {
  if (!(document as { prerendering?: boolean }).prerendering) return;
  await new Promise((resolve) =>
    document.addEventListener('prerenderingchange', resolve, { once: true }),
  );
};

/** Counts the view. Returns whether the reader is the owner. */
const countView = async (url: string): Promise<boolean> => {
  const response = await fetch(url, {
    method: 'POST',
    // Counts also if the reader leaves at once.
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claim: crypto.randomUUID() }),
  });
  return response.ok && (await response.json()).isOwner === true;
};

const isLoaded = ({ href }: HTMLLinkElement): boolean =>
  [...document.styleSheets].some((sheet) => sheet.href === href);

/** Loads a style of another page in this one. */
const loadStyle = (link: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
    document.head.append(document.adoptNode(link));
  });

/** Loads the styles of another page that this one lacks. */
export const loadStyles = async (page: Document): Promise<void> => {
  const styles = [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  await Promise.all(styles.filter((link) => !isLoaded(link)).map(loadStyle));
};

/** Replaces the bar by the owner's and says that the share is theirs, from the page that the service makes for them. */
const showOwnersBar = async (bar: Element): Promise<void> => {
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const own = page.querySelectorAll('.reader-bar, .own, .pill-note');
  if (own.length === 0) return;
  await loadStyles(page);
  bar.replaceWith(...[...own].map((one) => document.adoptNode(one)));
};

/**
 * Counts a view of a page that is the same for everyone, and shows its owner what they can do. Without an answer the page
 * stays as it is.
 */
export const completePage = async (bar: HTMLElement, enableBar: () => void): Promise<void> => {
  await untilShown();
  try {
    if (!(await countView(bar.dataset['counts'] ?? ''))) return;
    await showOwnersBar(bar);
    enableBar();
  } catch {
    // The view isn't counted, which no reader notices.
  }
};
