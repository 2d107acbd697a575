import { showFailure } from './feedback.ts';

const findPalette = () => document.querySelector<HTMLDialogElement>('#palette');

const load = () => import('./palette.tsx');

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
    try {
      const { showPalette } = await load();
      if (palette.open) showPalette(palette);
    } catch (error) {
      palette.close();
      showFailure((error as Error).message, openPalette);
    }
  });
  palette.addEventListener('close', async () => {
    const { clearPalette } = await load();
    if (!palette.open) clearPalette(palette);
  });
  whenIdle(() => load().catch(() => {}));
};
