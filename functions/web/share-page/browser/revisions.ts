import { showLocalTimes } from './parts/times.ts';
import { showFailure } from './parts/toast.ts';
import { shareScriptTexts as texts } from './texts.ts';

/** Restores the revision of a button, and leads to the share. */
const restore = async (button: HTMLButtonElement): Promise<void> => {
  button.disabled = true;
  try {
    const { ok, status } = await fetch(button.dataset['restores'] ?? '', { method: 'POST' });
    if (!ok) throw new Error(`Status ${status}`);
    location.assign(location.pathname.replace(/\/revisions$/, ''));
  } catch {
    showFailure(texts.notRestored);
  }
  button.disabled = false;
};

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-restores]')) {
  button.hidden = false;
  button.addEventListener('click', () => restore(button));
}
showLocalTimes();
