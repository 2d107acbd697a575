import type { Html } from '../../../../../../../shared/text/html.ts';
import { mainId } from '../../../../article.ts';
import { sealedTexts as texts } from '../texts.ts';

/** Finds the part of the page that its address names, as one that is opened again may. */
const findNamedPart = (): HTMLElement | null => {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
};

/**
 * Exchanges the card for the page of the share, as readers of other shares get it, and moves the focus to its content. `kind` is
 * the class of the body.
 */
export const exchangePage = (kind: string, title: string, body: Html): void => {
  const skip = document.querySelector<HTMLAnchorElement>('.skip');
  const parsed = new DOMParser().parseFromString(body.markup, 'text/html');
  document.title = title;
  document.body.className = kind;
  document.body.replaceChildren(...(skip ? [skip] : []), ...parsed.body.childNodes);
  if (skip) skip.hash = mainId;
  scrollTo(0, 0);
  document.getElementById(mainId)?.focus({ preventScroll: true });
  findNamedPart()?.scrollIntoView();
};

/** Says to who can’t see it that the page is now that of the share. The place for it has to be there before. */
export const sayOpened = (): void => {
  const status = document.querySelector('#Opened');
  requestAnimationFrame(() => {
    if (status) status.textContent = texts.opened;
  });
};
