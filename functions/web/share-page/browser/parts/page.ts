import { singleKeys } from '../../../browser/shell/preferences.ts';
import { enableBar, toggleFullScreen } from './bar.ts';
import { keepView } from './kept-view.ts';
import { startFollowing } from './live/start.ts';
import { completePage } from './shared-page.ts';
import { keepSource } from './source.ts';
import { showLocalTimes } from './times.ts';

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

const enableFullScreenKey = (): void => {
  if (!document.fullscreenEnabled) return;
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isInMenu = target instanceof Element && target.closest('[popover]');
    if (key !== 'f' || ctrlKey || metaKey || altKey || isInMenu) return;
    if (singleKeys.read()) toggleFullScreen();
  });
};

/** Makes what all pages of shares have work: the bar, the times, and what they tell and ask the service. */
export const enablePage = (): void => {
  keepView();
  showLocalTimes();
  enableBar();
  enableFullScreenKey();
  keepSource();
  const followed = find('[data-live]');
  if (followed) startFollowing(followed);
  const shared = find('[data-counts]');
  if (shared) void completePage(shared, enableBar);
};
