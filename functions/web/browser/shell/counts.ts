import { effect } from '@preact/signals';
import { type CountName, formatCount, labelBell } from '../../layout/counts.ts';
import { updates } from './updates.ts';

const showCount = (name: CountName, count: number): void => {
  for (const badge of document.querySelectorAll<HTMLElement>(`[data-count=${name}]`)) {
    badge.textContent = formatCount(name, count);
    badge.hidden = count === 0;
  }
};

const showBell = (count: number): void => {
  showCount('notifications', count);
  document.getElementById('bell')?.setAttribute('aria-label', labelBell(count));
};

/** Puts the count before the title of the page, whatever a page makes the title. */
const showInTitle = (count: number): void => {
  const title = document.title.replace(/^\(\d+\+?\) /, '');
  const counted = count > 0 ? `(${formatCount('notifications', count)}) ${title}` : title;
  if (document.title !== counted) document.title = counted;
};

/** Keeps the counts of the sidebar, the bell and the title current. */
export const startCounts = (): void => {
  effect(() => {
    const { unreadMessages, unreadNotifications, reportedShares } = updates.value;
    showCount('messages', unreadMessages);
    showCount('reports', reportedShares);
    showBell(unreadNotifications);
    showInTitle(unreadNotifications);
  });
  const title = document.querySelector('title');
  const keep = () => showInTitle(updates.value.unreadNotifications);
  if (title) new MutationObserver(keep).observe(title, { childList: true });
};
