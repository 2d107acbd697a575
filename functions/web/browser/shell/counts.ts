import { effect } from '@preact/signals';
import { shellTexts as texts } from './texts.ts';
import { updates } from './updates.ts';

const most = 99;

const format = (count: number): string => (count > most ? `${most}+` : String(count));

const showCounts = (name: string, count: number): void => {
  for (const badge of document.querySelectorAll<HTMLElement>(`[data-count=${name}]`)) {
    badge.textContent = format(count);
    badge.hidden = count === 0;
  }
};

const showBell = (count: number): void => {
  const bell = document.getElementById('bell');
  bell?.classList.toggle('dotted', count > 0);
  bell?.setAttribute('aria-label', texts.bell.label(count));
};

/** Puts the count before the title of the page, whatever a page makes the title. */
const showInTitle = (count: number): void => {
  const title = document.title.replace(/^\(\d+\+?\) /, '');
  const counted = count > 0 ? `(${format(count)}) ${title}` : title;
  if (document.title !== counted) document.title = counted;
};

/** Keeps the counts of the sidebar, the bell and the title current. */
export const startCounts = (): void => {
  effect(() => {
    const { unreadMessages, unreadNotifications } = updates.value;
    showCounts('messages', unreadMessages);
    showBell(unreadNotifications);
    showInTitle(unreadNotifications);
  });
  const title = document.querySelector('title');
  const keep = () => showInTitle(updates.value.unreadNotifications);
  if (title) new MutationObserver(keep).observe(title, { childList: true });
};
