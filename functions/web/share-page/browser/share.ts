import { enableCodeCopies, updateTabStops } from '../../browser/code-blocks.ts';
import { singleKeys } from '../../browser/shell/preferences.ts';
import { watchFrame } from './parts/blocked.ts';
import { followReading } from './parts/contents.ts';
import { watchNavigation } from './parts/left.ts';
import { followLines } from './parts/lines.ts';
import { addMenuKeys, closeMenu } from './parts/menu.ts';
import { keepSource, loadSource } from './parts/source.ts';
import { askToStop } from './parts/stop.ts';
import { copyAndTell } from './parts/toast.ts';
import { shareScriptTexts as texts } from './texts.ts';

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** Shows a button that needs this script. */
const enable = (selector: string, act: (button: HTMLElement) => void): void => {
  const button = find(selector);
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => act(button));
};

const copySource = (): Promise<void> =>
  // Safari requires that the click handler passes the promise, not the text that it resolves to.
  navigator.clipboard.write([
    new ClipboardItem({
      'text/plain': loadSource().then((text) => new Blob([text], { type: 'text/plain' })),
    }),
  ]);

const toggleFullScreen = (): void => {
  if (document.fullscreenElement) document.exitFullscreen();
  else (find('.stage') ?? document.documentElement).requestFullscreen();
};

enable('[data-copies-link]', ({ dataset }) =>
  copyAndTell(
    () => navigator.clipboard.writeText(dataset['copiesLink'] ?? ''),
    texts.linkCopied,
    texts.linkNotCopied,
  ),
);
enable('[data-copies-source]', () => {
  closeMenu();
  copyAndTell(copySource, texts.sourceCopied, texts.notCopied);
});
enable('[data-copies-embed]', ({ dataset }) => {
  closeMenu();
  copyAndTell(
    () => navigator.clipboard.writeText(dataset['copiesEmbed'] ?? ''),
    texts.embedCopied,
    texts.embedNotCopied,
  );
});
enable('[data-shows-qr]', async () => {
  closeMenu();
  const { showQrCode } = await import('./parts/qr-dialog.ts');
  const link = find('[data-copies-link]')?.dataset['copiesLink'] ?? '';
  showQrCode(link, { title: texts.qrCode, label: texts.qrCodeOf(link), close: texts.close });
});
enable('[data-asks-to-stop]', () => {
  closeMenu();
  askToStop();
});
if (document.fullscreenEnabled) {
  enable('[data-fills-screen]', () => {
    closeMenu();
    toggleFullScreen();
  });
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isInMenu = target instanceof Element && target.closest('[popover]');
    if (key !== 'f' || ctrlKey || metaKey || altKey || isInMenu) return;
    if (singleKeys.read()) toggleFullScreen();
  });
}
addMenuKeys();
keepSource();
followReading();

const frame = document.querySelector('iframe');
const notice = find('.blocked');
if (frame && notice) watchFrame(frame, notice);
const left = find('.left');
if (frame && left) watchNavigation(frame, left);

const prose = find('.prose');
if (prose) {
  enableCodeCopies(prose, (copy) => copyAndTell(copy, texts.codeCopied, texts.notCopied));
  updateTabStops(prose);
  followLines(prose);
  addEventListener('resize', () => updateTabStops(prose));
}
