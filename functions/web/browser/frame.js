import { createElement } from './page.js';

/** The same sandbox as on the page of a share. */
const sandbox =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads';

/** The frame that is loading, and its content. @type {{ place: HTMLElement, frame: HTMLIFrameElement, text: string } | undefined} */
let pending;

addEventListener('message', ({ source, data }) => {
  if (!pending || source !== pending.frame.contentWindow || data !== 'ready') return;
  const { place, frame, text } = pending;
  pending = undefined;
  // A sandboxed frame has an opaque origin, which no target origin matches.
  frame.contentWindow?.postMessage(text, '*');
  frame.className = '';
  for (const other of [...place.children]) if (other !== frame) other.remove();
});

/** Cancels the frame that is loading. */
export const cancelPendingFrame = () => {
  pending?.frame.remove();
  pending = undefined;
};

/**
 * Shows HTML in a frame of the snippets host. Each text gets a new frame, which replaces the previous one once it has
 * loaded: no state is left over, and nothing flickers.
 * @param {HTMLElement} place its `data-frame` is the URL of the frame
 * @param {string} title @param {string} text
 */
export const showInFrame = (place, title, text) => {
  cancelPendingFrame();
  const frame = /** @type {HTMLIFrameElement} */ (createElement('iframe', 'next'));
  frame.title = title;
  frame.setAttribute('sandbox', sandbox);
  frame.referrerPolicy = 'no-referrer';
  frame.src = place.dataset['frame'] ?? '';
  pending = { place, frame, text };
  place.append(frame);
};
