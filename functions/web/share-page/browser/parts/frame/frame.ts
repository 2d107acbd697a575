import { saveAfterClick, saveFile } from '../../../../browser/snippet-file.ts';
import { passFragment } from './fragment.ts';
import { showNotes } from './notes.ts';
import { setPrintSize } from './printing.ts';
import { frameTexts as texts } from './texts.ts';

/** What the script of a frame sends. It is untrusted, and so are its values. */
interface Message {
  readonly blocked?: unknown;
  readonly notes?: unknown;
  readonly height?: unknown;
  readonly file?: unknown;
  readonly name?: unknown;
}

/** As much of a name as can't pass for a text of the page. */
const maxShownName = 40;

/**
 * Asks the reader whether to save a file that the snippet offers without a click. Until it is saved, no other takes its place:
 * it could do so just before a click.
 */
const askToSave = (file: Blob, name: string): void => {
  const ask = document.querySelector<HTMLElement>('.offer');
  const [text, button] = [ask?.querySelector('span'), ask?.querySelector('button')];
  if (!ask?.hidden || !text || !button) return;
  text.textContent = texts.offersFile(name.slice(0, maxShownName));
  button.onclick = () => {
    saveFile(file, name);
    ask.hidden = true;
  };
  ask.hidden = false;
};

/** Tells the reader what the snippet in a frame reports, saves its files, and passes on what happens to the page. */
export const followFrame = (frame: HTMLIFrameElement, notice: Element): void => {
  let hasArrived = false;
  let latest: Message | undefined;
  const ask = () => frame.contentWindow?.postMessage('report?', '*');
  // Either script may be the later one: it is asked at once, and again when it is known to listen.
  const arrive = () => {
    hasArrived = true;
    passFragment(frame);
    ask();
  };
  const show = () => {
    if (latest) showNotes(notice, latest);
    latest = undefined;
  };
  addEventListener('message', ({ source, data }: MessageEvent<Message | string | null>) => {
    if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return;
    if (!hasArrived) arrive();
    setPrintSize(frame, data.height);
    if (data.file instanceof Blob) saveAfterClick(frame, data.file, String(data.name), askToSave);
    if (!('notes' in data || 'blocked' in data)) return;
    // However many messages there are, the notice changes once a frame.
    if (!latest) requestAnimationFrame(show);
    latest = data;
  });
  // A share may have several pages.
  frame.addEventListener('load', () => (hasArrived ? ask() : arrive()));
  addEventListener('hashchange', () => passFragment(frame));
  ask();
  addEventListener('beforeprint', ask);
};
