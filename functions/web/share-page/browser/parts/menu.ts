const findMenu = () => document.querySelector<HTMLElement>('#Actions');

const getItems = (): HTMLElement[] =>
  Array.from(findMenu()?.querySelectorAll<HTMLElement>('a, button:not([hidden])') ?? []);

/** Returns the number of the item that a key leads to. */
const findTarget = (key: string, items: readonly HTMLElement[]): number => {
  const at = items.indexOf(document.activeElement as HTMLElement);
  const last = items.length - 1;
  switch (key) {
    case 'ArrowDown':
      return at === last ? 0 : at + 1;
    case 'ArrowUp':
      return at <= 0 ? last : at - 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default: {
      const rotated = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      const next = rotated.find(({ textContent }) =>
        textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
      );
      return next ? items.indexOf(next) : -1;
    }
  }
};

/** Closes the menu after an action. */
export const closeMenu = (): void => findMenu()?.hidePopover();

/** Adds keys to the menu: arrows, Home, End and first letters. Without a script, Tab and Escape work. */
export const addMenuKeys = (): void => {
  const menu = findMenu();
  const button = document.querySelector<HTMLElement>('[popovertarget]');
  if (!menu || !button) return;
  menu.addEventListener('toggle', (event) => {
    const isOpen = event.newState === 'open';
    button.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) getItems()[0]?.focus();
  });
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    menu.showPopover();
  });
  menu.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === ' ') return;
    const items = getItems();
    const target = items[findTarget(event.key, items)];
    if (!target) return;
    event.preventDefault();
    target.focus();
  });
};
