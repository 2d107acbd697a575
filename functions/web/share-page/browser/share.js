import { sharePageTexts as texts } from '../texts.ts';
import { watchFrame } from './parts/blocked.js';

/** How long a button shows its result (ms). */
const resultMs = 2_500;

const status = document.querySelector('.actions [role="status"]');

/**
 * Shows a copy button, which displays its result and announces it to screen readers.
 * @param {HTMLButtonElement | null} button
 * @param {string} doneText
 * @param {() => Promise<void>} copy
 */
const showCopyButton = (button, doneText, copy) => {
  if (!button) return;
  const label = button.textContent;
  button.hidden = false;
  let timer = 0;
  button.addEventListener('click', async () => {
    const result = await copy().then(
      () => doneText,
      () => texts.notCopied,
    );
    button.textContent = result;
    if (status) status.textContent = result;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
      if (status) status.textContent = '';
    }, resultMs);
  });
};

/** The source as JSON if the page includes it. */
const inlineSource = document.querySelector('[data-source]')?.textContent;

/** @type {Promise<string> | undefined} */
let fetched = inlineSource ? Promise.resolve(JSON.parse(inlineSource)) : undefined;

/** @param {string} url */
const loadSource = (url) => {
  fetched ??= fetch(url).then((response) => {
    if (!response.ok) throw new Error(String(response.status));
    return response.text();
  });
  fetched.catch(() => {
    fetched = undefined;
  });
  return fetched;
};

/** @param {Promise<string>} text */
const copyText = (text) =>
  // Safari requires that the click handler passes the promise, not the text that it resolves to.
  navigator.clipboard.write([
    new ClipboardItem({
      'text/plain': text.then((value) => new Blob([value], { type: 'text/plain' })),
    }),
  ]);

/** @type {HTMLButtonElement | null} */
const linkButton = document.querySelector('[data-copies-link]');
showCopyButton(linkButton, texts.linkCopied, () =>
  navigator.clipboard.writeText(linkButton?.dataset.copiesLink ?? ''),
);

/** @type {HTMLButtonElement | null} */
const sourceButton = document.querySelector('[data-copies-source]');
const sourceUrl = sourceButton?.dataset.copiesSource ?? '';
showCopyButton(sourceButton, texts.sourceCopied, () => copyText(loadSource(sourceUrl)));

// The view token expires after a minute, but readers may copy or download later.
if (sourceButton && (inlineSource || 'fetchesNow' in sourceButton.dataset)) {
  /** @type {HTMLAnchorElement | null} */
  const download = document.querySelector('[data-name]');
  loadSource(sourceUrl).then(
    (text) => {
      if (!download) return;
      download.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
      download.download = download.dataset.name ?? '';
    },
    () => undefined,
  );
}

/** @type {HTMLButtonElement | null} */
const screenButton = document.querySelector('[data-fills-screen]');
if (screenButton && document.fullscreenEnabled) {
  screenButton.hidden = false;
  screenButton.addEventListener('click', () =>
    document.querySelector('.stage')?.requestFullscreen(),
  );
}

const frame = document.querySelector('iframe');
const notice = document.querySelector('.blocked');
if (frame && notice) watchFrame(frame, notice);

/** Makes blocks focusable only while they scroll. */
const updateTabStops = () => {
  for (const box of document.querySelectorAll('.prose pre, .prose .scroll')) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute('tabindex', '0');
    else box.removeAttribute('tabindex');
  }
};
updateTabStops();
addEventListener('resize', updateTabStops);
