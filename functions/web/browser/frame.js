import { element } from './page.js';

/** What the frame may do: as on the page of a share. */
const sandbox =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads';

/** The frame that is loading, and the text for it. @type {{ place: HTMLElement, frame: HTMLIFrameElement, text: string } | undefined} */
let awaited;

addEventListener('message', ({ source, data }) => {
  if (!awaited || source !== awaited.frame.contentWindow || data !== 'ready') return;
  const { place, frame, text } = awaited;
  awaited = undefined;
  // Its origin is none, by the sandbox: there is no other name for it.
  frame.contentWindow?.postMessage(text, '*');
  frame.className = '';
  for (const other of [...place.children]) if (other !== frame) other.remove();
});

/** Shows nothing that was on its way into a frame. */
export const dropAwaited = () => {
  awaited?.frame.remove();
  awaited = undefined;
};

/**
 * Shows HTML on the snippets' host. Each text gets a frame of its own, which takes the place of the one before when it has
 * loaded: nothing of an earlier text is left in it, and nothing flickers.
 * @param {HTMLElement} place whose `data-frame` is the address of the frame
 * @param {string} title @param {string} text
 */
export const showInFrame = (place, title, text) => {
  dropAwaited();
  const frame = /** @type {HTMLIFrameElement} */ (element('iframe', 'next'));
  frame.title = title;
  frame.setAttribute('sandbox', sandbox);
  frame.referrerPolicy = 'no-referrer';
  frame.src = place.dataset['frame'] ?? '';
  awaited = { place, frame, text };
  place.append(frame);
};
