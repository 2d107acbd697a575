import { sharePageTexts as texts } from '../../texts.ts';

/** Whatever is in the frame may send anything, as often as it likes: this much of it is looked at. */
const mostMessages = 100;
const mostLooked = 30;
const mostLines = 8;
const longestLine = 120;

/** @type {Map<string | undefined, string>} */
const kinds = new Map(Object.entries(texts.blockedKinds));

/** @param {string} directive such as `img-src` or `script-src-elem` */
const getKind = (directive) =>
  kinds.get(directive.match(/^[a-z]+/)?.[0]) ?? texts.blockedKinds.other;

/**
 * The lines for what a frame says that was blocked, whatever it is that it has sent.
 * @param {unknown} blocked
 */
const getLines = (blocked) => {
  const lines = new Set();
  for (const entry of Array.isArray(blocked) ? blocked.slice(0, mostLooked) : []) {
    const [directive, address] = Array.isArray(entry) ? entry : [];
    lines.add(`${getKind(String(directive))}: ${address}`.slice(0, longestLine));
  }
  return [...lines].slice(0, mostLines);
};

/**
 * Says above a frame what its snippet was not allowed to load, as far as it tells.
 * @param {HTMLIFrameElement} frame
 * @param {Element} notice
 */
export const watchFrame = (frame, notice) => {
  const [summary, list] = [notice.querySelector('summary'), notice.querySelector('ul')];
  let messages = 0;
  /** @param {MessageEvent} message */
  const onMessage = ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    messages++;
    if (messages === mostMessages) removeEventListener('message', onMessage);
    const lines = getLines(data?.blocked);
    if (lines.length === 0) return;
    notice.removeAttribute('hidden');
    if (summary) summary.textContent = texts.blocked(Math.min(data.blocked.length, mostLooked));
    list?.replaceChildren(
      ...lines.map((line) => {
        const item = document.createElement('li');
        item.textContent = line;
        return item;
      }),
    );
  };
  addEventListener('message', onMessage);
  // What was blocked before this came to listen.
  frame.contentWindow?.postMessage('blocked?', '*');
};
