import { forgetSource } from '../source.ts';
import { showLocalTimes } from '../times.ts';
import { finishExchange } from './exchanges.ts';
import { keepPlace } from './keep-place.ts';
import { patchChildren } from './patch.ts';

/** A page of the share as it is now, and its content with the marks. */
export interface NextPage {
  readonly document: Document;
  readonly main: HTMLElement;
}

const find = (selector: string, root: ParentNode = document) =>
  root.querySelector<HTMLElement>(selector);

const getStyle = (page: Document): string | null | undefined =>
  find('link[rel="stylesheet"][href*="/share."]', page)?.getAttribute('href');

/** Whether the page can’t become the next one: it is of another kind, or of another release of the service. */
export const needsReload = (next: NextPage): boolean =>
  document.body.className !== next.document.body.className ||
  getStyle(document) !== getStyle(next.document);

/** Shows the address and the name of each entry of the menu that leads to the text. */
const updateMenu = (next: Document): void => {
  const links = [...next.querySelectorAll<HTMLElement>('#Actions a, [data-copies-source]')];
  for (const link of document.querySelectorAll<HTMLElement>('#Actions a, [data-copies-source]')) {
    const same = links.find(({ textContent }) => textContent === link.textContent);
    for (const name of ['href', 'data-name', 'data-copies-source']) {
      const value = same?.getAttribute(name);
      if (value !== undefined && value !== null) link.setAttribute(name, value);
    }
  }
};

/** Makes an element that a page may have or not that of the next page, before another one of this page. */
const exchange = (selector: string, next: NextPage, before: Element | null): boolean => {
  const [shown, wanted] = [find(selector), find(selector, next.document)];
  if (shown && wanted) return patchChildren(shown, wanted);
  if (!shown && !wanted) return false;
  shown?.remove();
  if (wanted) before?.before(document.adoptNode(wanted));
  return true;
};

const isText = (main: HTMLElement): boolean => find('.prose', main) !== null;

/** Shows the description of an HTML share, which is opened or not. */
const exchangeDescription = (main: HTMLElement, next: NextPage): void => {
  const [shown, wanted] = [main, next.main].map((one) => find(':scope > .strip', one));
  if (shown?.textContent === wanted?.textContent) return;
  shown?.remove();
  if (wanted) main.prepend(document.adoptNode(wanted));
};

/** Returns what identifies the content of a page. */
export const getContent = ({ dataset }: HTMLElement): string | undefined =>
  dataset['state']?.split('.')[2];

/** Loads the share's own images again: a browser takes one of the same address for the same. */
const renewImages = (main: HTMLElement): void => {
  const { live = '', state } = main.dataset;
  const [, , id] = live.split('/');
  for (const image of main.querySelectorAll<HTMLImageElement>('.prose img')) {
    if (new URL(image.src).pathname.startsWith(`/${id}/`)) image.src += `?${state}`;
  }
};

/** What readers notice of an edit. */
const describe = (page: Document, main: HTMLElement): string =>
  JSON.stringify([
    page.title,
    getContent(main),
    find('.lead, :scope > .strip:not(.blocked, .offer)', main)?.textContent,
  ]);

/** Makes a page the next one, all but its frame. Returns whether its reader notices. */
export const exchangePage = (main: HTMLElement, next: NextPage): boolean => {
  const isNoticed = describe(document, main) !== describe(next.document, next.main);
  document.title = next.document.title;
  const heading = find('.reader-bar .at');
  if (heading) heading.textContent = find('.reader-bar .at', next.document)?.textContent ?? '';
  updateMenu(next.document);
  if (isText(main)) {
    keepPlace(main, () => {
      exchange('.reader > header', next, null);
      exchange('.toc', next, find('.prose'));
      if (getContent(main) === getContent(next.main)) return;
      // A CDN may still have the former ones.
      const settleMs = 1_000 * Number(next.main.dataset['settles'] ?? 0);
      if (settleMs > 0) setTimeout(renewImages, settleMs, main);
      else renewImages(next.main);
      exchange('.prose', next, null);
    });
    forgetSource();
  } else {
    exchangeDescription(main, next);
    exchange('.origin', next, null);
  }
  showLocalTimes();
  main.dataset['state'] = next.main.dataset['state'];
  finishExchange();
  return isNoticed;
};
