import { showFailure } from './feedback.ts';
import { shellTexts } from './texts.ts';

const findPalette = () => document.querySelector<HTMLDialogElement>('#palette');

const load = () => import('./palette.tsx').catch(() => {});

/** Opens the palette, where there is one. */
export const openPalette = (): void => {
  const palette = findPalette();
  if (palette && !palette.open) palette.showModal();
};

const whenIdle = (act: () => unknown): void => {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act);
  else setTimeout(act, 500);
};

/** Fills the dialog of the palette while it is open. What fills it is loaded after the page. */
export const startPalette = (): void => {
  const palette = findPalette();
  if (!palette) return;
  palette.addEventListener('beforetoggle', async ({ newState }) => {
    if (newState !== 'open') return;
    const loaded = await load();
    if (!palette.open) return;
    if (loaded) return loaded.showPalette(palette);
    palette.close();
    showFailure(shellTexts.palette.failed);
  });
  palette.addEventListener('close', async () => {
    const loaded = await load();
    if (!palette.open) loaded?.clearPalette(palette);
  });
  whenIdle(load);
};
