import { type Entry, entries } from '../../layout/shell/entries.ts';
import { toggleBell } from './bell.ts';
import { hasCommandKey } from './platform.ts';
import { may, signedIn } from './session.ts';
import { openShellDialog } from './shell-dialogs.ts';
import { mayAct } from './single-keys.ts';

/** How long after `g` a letter opens its page. ms. */
const sequenceMs = 1_500;

/** Returns the page that a letter opens after `g`, if the user may view it. */
const findPage = (letter: string): string | undefined => {
  const all: readonly Entry[] = [...entries.main, ...entries.administration];
  const found = all.find(({ key }) => key === letter);
  const isOpen = found && (found.isPublic || (signedIn && may(found.permission)));
  return isOpen ? found.path : undefined;
};

/** Moves the focus to the search field of the page. Returns whether it has one. */
const focusSearch = (): boolean => {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type=search]');
  const field = [...fields].find((one) => one.checkVisibility());
  field?.focus();
  field?.select();
  return field !== undefined;
};

/** What each single key does; returns `false` if the key has nothing to do here. */
const actions: Readonly<Record<string, () => unknown>> = {
  c: () => location.assign('/'),
  n: () => (signedIn ? toggleBell() : false),
  '/': focusSearch,
  '?': () => openShellDialog('keys'),
};

/** Starts the shortcuts of all pages. */
export const startKeys = (): void => {
  let startedAt = Number.NEGATIVE_INFINITY;
  addEventListener('keydown', (event) => {
    if (hasCommandKey(event) && !event.defaultPrevented && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openShellDialog('palette');
      return;
    }
    if (!mayAct(event)) return;
    const isSecond = event.timeStamp - startedAt < sequenceMs;
    startedAt = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const path = isSecond ? findPage(event.key) : undefined;
    if (path !== undefined) location.assign(path);
    else if (isSecond || actions[event.key]?.() === false || !(event.key in actions)) return;
    event.preventDefault();
  });
};
