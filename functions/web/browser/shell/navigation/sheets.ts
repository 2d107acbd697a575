const phone = matchMedia('(max-width: 45rem)');

const close = (sheet: HTMLElement): void => {
  if (sheet instanceof HTMLDialogElement) sheet.close();
  else sheet.hidePopover();
};

const closeByBack = (sheet: HTMLElement): void => {
  const isItsStep = () => history.state?.sheet === sheet.id;
  sheet.addEventListener('toggle', ({ newState }) => {
    if (newState === 'open' && phone.matches) history.pushState({ sheet: sheet.id }, '');
    else if (newState === 'closed' && isItsStep()) history.back();
  });
  addEventListener('popstate', () => {
    if (!isItsStep() && sheet.matches(':popover-open, :modal')) close(sheet);
  });
  sheet.addEventListener('click', (event) => {
    const control = event.target instanceof Element ? event.target.closest('a, button') : null;
    // What it opens, such as the search, takes its place.
    if (control?.hasAttribute('commandfor')) close(sheet);
    const link = control instanceof HTMLAnchorElement ? control : undefined;
    const { ctrlKey, metaKey, shiftKey } = event;
    if (!link || !isItsStep() || ctrlKey || metaKey || shiftKey) return;
    // The next page takes the place of the step, so that Back leads to this page at once.
    event.preventDefault();
    location.replace(link.href);
  });
};

/** Lets Back close what is a sheet on phones, which leaves no step behind. */
export const startSheets = (): void => {
  for (const sheet of document.querySelectorAll<HTMLElement>('[data-sheet]')) closeByBack(sheet);
};
