import { toLoginAfterSignOut } from '../../layout/addresses/destination.ts';
import { api } from './api.ts';
import { addDateLanguages } from './date-languages.ts';
import { showFailure } from './feedback.ts';
import { type Theme, theme } from './preferences.ts';
import { openShellDialog } from './shell-dialogs.ts';
import { leave } from './unsaved.ts';

const showTheme = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-theme-choice]')) {
    const isChosen = button.dataset['themeChoice'] === theme.read();
    button.setAttribute('aria-pressed', String(isChosen));
  }
};

/** Applies a theme to this page and the next ones. */
export const chooseTheme = (chosen: Theme): void => {
  theme.write(chosen);
  showTheme();
};

const endSession = async (): Promise<void> => {
  try {
    await api.call('POST /api/auth/logout');
    // What this tab keeps, such as keys of sealed shares, is not for who signs in next.
    sessionStorage.clear();
    location.assign(toLoginAfterSignOut());
  } catch (failure) {
    showFailure((failure as Error).message, endSession);
  }
};

/** Signs out and opens the sign-in page. */
export const signOut = (): unknown => leave(endSession);

/** Moves the focus through a menu with the arrow keys, Home and End. */
const moveByKeys = (menu: HTMLElement): void => {
  menu.addEventListener('keydown', (event) => {
    const items = [...menu.querySelectorAll<HTMLElement>('a, button, select')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    const target = items[next[event.key] ?? -1];
    // In a list of choices, arrows choose.
    if (!target || document.activeElement instanceof HTMLSelectElement) return;
    event.preventDefault();
    target.focus();
  });
};

/** Starts the controls of the user’s menu and of the sheet that replaces it on phones. */
export const startUserMenu = (): void => {
  const menu = document.getElementById('me-menu');
  if (!menu) return;
  moveByKeys(menu);
  menu.addEventListener('beforetoggle', addDateLanguages, { once: true });
  menu.addEventListener('toggle', (event) => {
    if ((event as ToggleEvent).newState === 'open') menu.querySelector('a')?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('button');
    const chosen = button?.dataset['themeChoice'];
    if (chosen !== undefined) chooseTheme(chosen as Theme);
    else if (button?.matches('#sign-out, [data-sign-out]')) signOut();
    else if (button?.id === 'show-keys') {
      menu.hidePopover();
      openShellDialog('keys');
    }
  });
};
