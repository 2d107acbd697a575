import { sharePageTexts as texts } from '../texts.ts';
import { watchFrame } from './parts/blocked.js';

/** How long a button says what it has done. ms. */
const saidMs = 2_500;

const status = document.querySelector('.actions [role="status"]');

/**
 * Shows a button that copies, and says on it and to screen readers what came of it.
 * @param {HTMLButtonElement | null} button
 * @param {string} done
 * @param {() => Promise<void>} copy
 */
const offer = (button, done, copy) => {
  if (!button) return;
  const label = button.textContent;
  button.hidden = false;
  let timer = 0;
  button.addEventListener('click', async () => {
    const said = await copy().then(
      () => done,
      () => texts.notCopied,
    );
    button.textContent = said;
    if (status) status.textContent = said;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
      if (status) status.textContent = '';
    }, saidMs);
  });
};

/** The source, where it came along with the page. */
const along = document.querySelector('[data-source]')?.textContent;

/** @type {Promise<string> | undefined} */
let fetched = along ? Promise.resolve(JSON.parse(along)) : undefined;

/** @param {string} address */
const sourceAt = (address) => {
  fetched ??= fetch(address).then((response) => {
    if (!response.ok) throw new Error(String(response.status));
    return response.text();
  });
  fetched.catch(() => {
    fetched = undefined;
  });
  return fetched;
};

/** @param {Promise<string>} text */
const copyLater = (text) =>
  // Safari copies after a wait only what was promised at the click.
  navigator.clipboard.write([
    new ClipboardItem({ 'text/plain': text.then((it) => new Blob([it], { type: 'text/plain' })) }),
  ]);

/** @type {HTMLButtonElement | null} */
const linkButton = document.querySelector('[data-copies-link]');
offer(linkButton, texts.linkCopied, () =>
  navigator.clipboard.writeText(linkButton?.dataset.copiesLink ?? ''),
);

/** @type {HTMLButtonElement | null} */
const sourceButton = document.querySelector('[data-copies-source]');
const address = sourceButton?.dataset.copiesSource ?? '';
offer(sourceButton, texts.sourceCopied, () => copyLater(sourceAt(address)));

// A view is good for a minute, its reader may take longer: what can be copied and saved is here while it is.
if (sourceButton && (along || 'fetchesNow' in sourceButton.dataset)) {
  /** @type {HTMLAnchorElement | null} */
  const download = document.querySelector('[data-name]');
  sourceAt(address).then(
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

/** Only what really scrolls is a stop for the keyboard. */
const setStops = () => {
  for (const box of document.querySelectorAll('.prose pre, .prose .scroll')) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute('tabindex', '0');
    else box.removeAttribute('tabindex');
  }
};
setStops();
addEventListener('resize', setStops);
