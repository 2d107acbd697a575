import { shareScriptTexts as texts } from '../texts.ts';
import { addMenuKeys, closeMenu } from './menu.ts';
import { loadSource } from './source.ts';
import { copyAndTell, showFailure } from './toast.ts';

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** Shows a button that needs this script. */
const enable = (selector: string, act: (button: HTMLElement) => unknown): void => {
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

/** Shows the page without anything around it, or as before. */
export const toggleFullScreen = (): void => {
  if (document.fullscreenElement) document.exitFullscreen();
  else (find('.stage') ?? document.documentElement).requestFullscreen();
};

/** Makes the buttons of the bar and its menu work. */
export const enableBar = (): void => {
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
    const loaded = await import('./qr-dialog.ts').catch(() => undefined);
    if (!loaded) return showFailure(texts.noQrCode);
    const link = find('[data-copies-link]')?.dataset['copiesLink'] ?? '';
    loaded.showQrCode(link, {
      title: texts.qrCode,
      label: texts.qrCodeOf(link),
      close: texts.close,
    });
  });
  if (document.fullscreenEnabled) {
    enable('[data-fills-screen]', () => {
      closeMenu();
      toggleFullScreen();
    });
  }
  addMenuKeys();
  // Loaded for owners only.
  if (find('.own, .pill-note')) void import('./own/own.ts').then(({ enableOwn }) => enableOwn());
};
