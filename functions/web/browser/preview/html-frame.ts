import { saveAfterClick } from '../snippet-file.ts';
import { sandbox } from './sandbox.ts';

/** Shows HTML in a frame of the snippets host. */
export interface HtmlFrame {
  /** Shows a text, or a page with its files, in a new frame, which replaces the previous one once it has loaded: no state is left over, and nothing flickers. */
  show(text: unknown): void;
  /** Cancels the frame that is loading. */
  cancel(): void;
}

/**
 * Creates what shows HTML at a place. `url` is that of the frame. `follow` gets each frame that shows its text: it takes what the
 * text reports, and saves the files that it offers.
 */
export const createHtmlFrame = (
  place: HTMLElement,
  url: string,
  title: string,
  follow?: (frame: HTMLIFrameElement) => void,
): HtmlFrame => {
  let pending: { readonly frame: HTMLIFrameElement; readonly text: unknown } | undefined;
  addEventListener('message', ({ source, data }) => {
    const shown = place.querySelector('iframe');
    if (!follow && shown && source === shown.contentWindow && data?.file instanceof Blob) {
      saveAfterClick(shown, data.file, String(data.name));
    }
    if (!pending || source !== pending.frame.contentWindow || data !== 'ready') return;
    const { frame, text } = pending;
    pending = undefined;
    // A sandboxed frame has an opaque origin, which no target origin matches.
    frame.contentWindow?.postMessage(text, '*');
    // Its script offers files to who has asked.
    frame.contentWindow?.postMessage('report?', '*');
    frame.className = '';
    for (const other of [...place.children]) if (other !== frame) other.remove();
    follow?.(frame);
  });
  const cancel = (): void => {
    pending?.frame.remove();
    pending = undefined;
  };
  return {
    cancel,
    show: (text) => {
      cancel();
      const frame = document.createElement('iframe');
      frame.className = 'next';
      frame.title = title;
      frame.setAttribute('sandbox', sandbox);
      frame.referrerPolicy = 'no-referrer';
      frame.src = url;
      pending = { frame, text };
      place.append(frame);
    },
  };
};
