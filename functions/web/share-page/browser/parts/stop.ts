import { shareScriptTexts as texts } from '../texts.ts';
import { showFailure } from './toast.ts';

/** The answer to a share that has ended already. */
const gone = 410;

/** Ends the share at the address of the button, and shows that it has ended. */
const stop = async (button: HTMLButtonElement): Promise<void> => {
  button.disabled = true;
  try {
    const { ok, status } = await fetch(button.dataset['stops'] ?? '', { method: 'POST' });
    if (!ok && status !== gone) throw new Error(`Status ${status}`);
    location.reload();
  } catch {
    button.closest('dialog')?.close();
    showFailure(texts.notStopped);
  }
  button.disabled = false;
};

/** Asks the owner whether to end the share, and ends it. */
export const askToStop = (): void => {
  const dialog = document.querySelector<HTMLDialogElement>('#Stop');
  const button = dialog?.querySelector('button[data-stops]');
  if (!dialog || !(button instanceof HTMLButtonElement)) return;
  button.onclick = () => stop(button);
  dialog.showModal();
};
