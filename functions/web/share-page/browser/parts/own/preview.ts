/** Where this tab keeps which step of its history the page is. Their addresses aren’t told, because pages send no referrer. */
const kept = 'own page';

/** Keeps the step of the page, to which its preview leads back. */
export const keepStep = (): void => {
  const { key } = globalThis.navigation?.currentEntry ?? {};
  if (key !== undefined) sessionStorage.setItem(kept, key);
};

/** Leads back to the page: by the history if that is the step before, so that Back doesn’t lead into the preview again. */
const leave = ({ href }: HTMLAnchorElement): void => {
  const { navigation } = globalThis;
  const before = navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1];
  if (before && before.key === sessionStorage.getItem(kept)) history.back();
  else location.replace(href);
};

/** Lets Esc lead back from a preview, unless it closes something else. */
export const enableWayBack = (back: HTMLAnchorElement): void => {
  back.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    leave(back);
  });
  addEventListener('keydown', ({ key, isComposing }) => {
    const isOver = document.querySelector(':popover-open, dialog[open]') !== null;
    if (key === 'Escape' && !isComposing && !isOver && !document.fullscreenElement) leave(back);
  });
};
