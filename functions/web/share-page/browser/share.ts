import { enableCodeCopies, showCodeCopies, updateTabStops } from '../../browser/code-blocks.ts';
import { followImages } from '../../browser/failed-images.ts';
import { singleKeys } from '../../browser/shell/preferences.ts';
import { enableBar, toggleFullScreen } from './parts/bar.ts';
import { followReading } from './parts/contents.ts';
import { keepView } from './parts/kept-view.ts';
import { followLines } from './parts/lines.ts';
import { onExchange } from './parts/live/exchanges.ts';
import { startFollowing } from './parts/live/start.ts';
import { showDimensions } from './parts/picture.ts';
import { completePage } from './parts/shared-page.ts';
import { keepSource } from './parts/source.ts';
import { showLocalTimes } from './parts/times.ts';
import { copyAndTell } from './parts/toast.ts';
import { enableWrapping } from './parts/wrapping.ts';
import { shareScriptTexts as texts } from './texts.ts';

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

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
followReading();

const prose = find('.prose');
if (prose) {
  enableCodeCopies(prose, (copy) => copyAndTell(copy, texts.codeCopied, texts.notCopied));
  onExchange(() => showCodeCopies(prose));
  enableWrapping(prose);
  // A table or the lines of a file are shown instead of each other.
  prose.addEventListener('change', () => updateTabStops(prose));
  followLines(prose);
  followImages(prose);
  showDimensions(prose);
  addEventListener('resize', () => updateTabStops(prose));
}

const followed = find('[data-live]');
if (followed) startFollowing(followed);

const shared = find('[data-counts]');
if (shared) void completePage(shared, enableBar);
