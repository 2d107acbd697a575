import { showFailure } from './feedback.ts';
import { signedIn } from './session.ts';
import { findShellDialog, type ShellDialog } from './shell-dialogs.ts';
import { shellTexts } from './texts.ts';

const load = () => import('./dialogs/palette.tsx').catch(() => {});

const fillWhileOpen = (name: ShellDialog, failed: string): void => {
  const dialog = findShellDialog(name);
  dialog?.addEventListener('beforetoggle', async ({ newState }) => {
    if (newState !== 'open') return;
    const loaded = await load();
    if (!dialog.open) return;
    if (loaded) return loaded.dialogs[name].fill(dialog);
    dialog.close();
    showFailure(failed);
  });
  dialog?.addEventListener('close', async () => {
    const loaded = await load();
    if (!dialog.open) loaded?.dialogs[name].clear(dialog);
  });
};

/**
 * Fills the dialogs of the palette and of the shortcuts while they are open. What does is loaded when one first opens.
 */
export const startDialogs = (): void => {
  fillWhileOpen('keys', shellTexts.keysFailed);
  if (signedIn) fillWhileOpen('palette', shellTexts.paletteFailed);
};
