import { createTimeFormat } from '../../../times/time-styles.ts';
import { showFailure, showMessage } from '../toast.ts';
import { ownScriptTexts as texts } from './texts.ts';

/** The answer to a share that has ended already. */
const gone = 410;

/** Sends a request without a body. @throws Error with the status as its cause, unless it succeeded */
const post = async (url: string): Promise<void> => {
  const response = await fetch(url, { method: 'POST' });
  // Unread, the answer would keep its connection.
  await response.arrayBuffer();
  const { ok, status } = response;
  if (!ok) throw new Error(`Status ${status}`, { cause: status });
};

/** Shows that the share has ended. Returns how to show the bar as before. */
const showEnd = (bar: HTMLElement): (() => void) => {
  const [about, buttons] = [bar.querySelector('.cut'), bar.querySelector<HTMLElement>('.row')];
  const before = about?.textContent ?? '';
  const show = (text: string, isEnded: boolean): void => {
    if (about) about.textContent = text;
    if (buttons) buttons.hidden = isEnded;
  };
  show(texts.ended(createTimeFormat('shortDay').format()), true);
  return () => show(before, false);
};

/** Offers to take the end back. The request is sent by pressing, as that of the end was. */
const offerUndo = (url: string, onUndone: () => void): HTMLElement => {
  const undo = document.createElement('button');
  undo.type = 'button';
  undo.textContent = texts.undo;
  const toast = showMessage(texts.stopped);
  toast.append(undo);
  let isSent = false;
  undo.addEventListener('click', async () => {
    if (isSent) return;
    isSent = true;
    try {
      await post(`${url}/reopen`);
      onUndone();
      showMessage(texts.reopened);
    } catch {
      showFailure(texts.notReopened);
    }
    toast.remove();
  });
  return undo;
};

/**
 * Lets a button end the share at once, which can be taken back for some seconds (decisions.md#share-end). Pressed by a key,
 * it passes the focus on to Undo.
 */
export const enableStop = (bar: HTMLElement, button: HTMLElement): void => {
  const url = button.dataset['stops'] ?? '';
  let isSent = false;
  const stop = async ({ detail }: MouseEvent): Promise<void> => {
    if (isSent) return;
    isSent = true;
    try {
      await post(`${url}/end`);
      const showAsBefore = showEnd(bar);
      const undo = offerUndo(url, () => {
        showAsBefore();
        button.focus();
      });
      bar.tabIndex = -1;
      (detail === 0 ? undo : bar).focus();
    } catch (error) {
      // The page says what ended it.
      if ((error as Error).cause === gone) location.reload();
      else showFailure(texts.notStopped);
    }
    isSent = false;
  };
  button.hidden = false;
  button.addEventListener('click', stop);
};
