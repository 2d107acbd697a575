import { cancelPendingFrame, showInFrame } from '../../../../browser/frame.js';
import { byId, createElement } from '../../../../browser/page.js';
import { composerTexts as texts } from '../../texts.ts';
import { convert } from './conversion.js';

const place = byId('preview');

/** The number of the latest preview; older ones are not shown. */
let latest = 0;

/** @param {string} text */
const tell = (text) => place.replaceChildren(createElement('p', 'empty', text));

/** @param {string} text @param {number} mine */
const showMarkdown = async (text, mine) => {
  const html = await convert(text).catch(() => null);
  if (mine !== latest) return;
  if (html === null) return tell(texts.noPreview);
  if (html === undefined) return tell(texts.tooSlow);
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const prose = createElement('div', 'prose');
  prose.append(...body.childNodes);
  for (const link of prose.querySelectorAll('a')) {
    if (link.getAttribute('href')?.startsWith('#')) continue;
    // Links must not navigate away from the text.
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  place.replaceChildren(prose);
};

/**
 * Shows the preview of a text.
 * @param {'markdown'
 * 'html'} language @param {string} text
 */
export const showPreview = (language, text) => {
  latest += 1;
  place.dataset.language = language;
  cancelPendingFrame();
  if (text.trim() === '') return tell(texts.nothingToShow);
  if (language === 'html') return showInFrame(place, texts.frame, text);
  return showMarkdown(text, latest);
};
