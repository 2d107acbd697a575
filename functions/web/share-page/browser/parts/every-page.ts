import { singleKeys } from '../../../browser/shell/preferences.ts';
import { enableBar, toggleFullScreen } from './bar.ts';
import { keepView } from './kept-view.ts';
import { startFollowing } from './live/start.ts';
import { completePage } from './shared-page.ts';
import { keepSource } from './source.ts';
import { showLocalTimes } from './times.ts';

/** Starts what the pages of all shares have. `startText` does what only texts need, before the page is completed. */
export const startPage = (startText?: () => void): void => {
  keepView();
  showLocalTimes();
  enableBar();
  if (document.fullscreenEnabled) {
    addEventListener('keydown', (event) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isInMenu = target instanceof Element && target.closest('[popover]');
      if (key !== 'f' || ctrlKey || metaKey || altKey || isInMenu) return;
      if (singleKeys.read()) toggleFullScreen();
    });
  }
  keepSource();
  startText?.();
  const followed = document.querySelector<HTMLElement>('[data-live]');
  if (followed) startFollowing(followed);
  const shared = document.querySelector<HTMLElement>('[data-counts]');
  if (shared) void completePage(shared, enableBar);
};
