/** Elements of a text whose place its reader remembers: of an outer one only part may be in view. */
const blocks =
  '.reader > header > *, .prose > *, .prose :is(li, tr, p, h1, h2, h3, h4, h5, h6, pre, summary)';

const details = ':is(.prose, .toc) details';

const getTop = (element: Element): number => element.getBoundingClientRect().top;

const isInView = (element: Element): boolean => {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
};

const getSummary = (one: Element): string => one.querySelector('summary')?.textContent ?? '';

/** Returns what finds the link or part of the text that had the focus, after it was replaced. */
const findFocused = (main: HTMLElement): (() => HTMLElement | undefined) => {
  const { activeElement } = document;
  if (!activeElement || activeElement === main || !main.contains(activeElement)) {
    return () => undefined;
  }
  const { id, localName, textContent } = activeElement;
  return () => {
    if (activeElement.isConnected) return undefined;
    const named = id === '' ? null : document.getElementById(id);
    const alike = [...main.querySelectorAll<HTMLElement>(localName)];
    return named ?? alike.find((one) => one.textContent === textContent) ?? main;
  };
};

/**
 * Changes the text of a page while its reader stays where they are: what is at the top of the window stays there, the focus
 * in the same place, and details open.
 */
export const keepPlace = (main: HTMLElement, change: () => void): void => {
  const isAtTop = scrollY === 0;
  const seen = isAtTop
    ? []
    : [...main.querySelectorAll(blocks)]
        .filter(isInView)
        .map((element) => ({ element, top: getTop(element) }));
  const open = new Set([...main.querySelectorAll(`${details}[open]`)].map(getSummary));
  const findAgain = findFocused(main);
  // The browser would keep the place as well, and both together move the text twice as far.
  document.documentElement.style.overflowAnchor = 'none';
  change();
  for (const one of main.querySelectorAll<HTMLDetailsElement>(details)) {
    if (open.has(getSummary(one))) one.open = true;
  }
  const anchor = seen.find(({ element }) => element.isConnected);
  if (anchor) scrollBy({ top: getTop(anchor.element) - anchor.top, behavior: 'instant' });
  const focused = findAgain();
  if (focused === main) main.tabIndex = -1;
  focused?.focus({ preventScroll: true });
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.documentElement.style.removeProperty('overflow-anchor')),
  );
};
