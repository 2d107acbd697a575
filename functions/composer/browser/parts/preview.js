import { byId, element } from '../../../assets/browser/modules/page.js';
import { composerTexts as texts } from '../../../texts.ts';
import { convert } from './conversion.js';

/** What the frame may do: as on the page of a share. */
const sandbox =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads';

const place = byId('preview');

/** Which preview was asked for last: what comes late is not shown. */
let latest = 0;

/** @param {string} text */
const tell = (text) => place.replaceChildren(element('p', 'empty', text));

/** @param {string} text @param {number} mine */
const showMarkdown = async (text, mine) => {
  const html = await convert(text).catch(() => null);
  if (mine !== latest) return;
  if (html === null) return tell(texts.noPreview);
  if (html === undefined) return tell(texts.tooSlow);
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const prose = element('div', 'prose');
  prose.append(...body.childNodes);
  for (const link of prose.querySelectorAll('a')) {
    if (link.getAttribute('href')?.startsWith('#')) continue;
    // The text is left for nothing that it leads to.
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  place.replaceChildren(prose);
};

/** The frame that is loading, and the text for it. @type {{ frame: HTMLIFrameElement, text: string } | undefined} */
let awaited;

addEventListener('message', ({ source, data }) => {
  if (!awaited || source !== awaited.frame.contentWindow || data !== 'ready') return;
  const { frame, text } = awaited;
  awaited = undefined;
  // Its origin is none, by the sandbox: there is no other name for it.
  frame.contentWindow?.postMessage(text, '*');
  frame.className = '';
  for (const other of [...place.children]) if (other !== frame) other.remove();
});

/**
 * Each text gets a frame of its own, which takes the place of the one before when it has loaded: nothing of an earlier
 * text is left in it, and nothing flickers.
 * @param {string} text
 */
const showHtml = (text) => {
  const frame = /** @type {HTMLIFrameElement} */ (element('iframe', 'next'));
  frame.title = texts.frame;
  frame.setAttribute('sandbox', sandbox);
  frame.referrerPolicy = 'no-referrer';
  frame.src = place.dataset.frame;
  awaited = { frame, text };
  place.append(frame);
};

/**
 * Shows what a text will look like as a share.
 * @param {'markdown' | 'html'} language @param {string} text
 */
export const showPreview = (language, text) => {
  latest += 1;
  place.dataset.language = language;
  awaited?.frame.remove();
  awaited = undefined;
  if (text.trim() === '') return tell(texts.nothingToShow);
  if (language === 'html') return showHtml(text);
  return showMarkdown(text, latest);
};
