import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { getMessage } from '../../../../browser/api.js';
import { byId, createElement, setText } from '../../../../browser/page.js';
import { filesTexts as texts } from '../../texts.ts';
import { cancelTransfer, newTransfer, runTransfer } from './transfer.js';

/** The number of concurrent uploads. */
const concurrency = 3;

/** @typedef {'waiting' | 'sending' | 'uploaded' | 'failed' | 'canceled'} State */
/** @typedef {import('./transfer.js').Transfer} Transfer */
/** @typedef {{ transfer: Transfer, state: State, item: HTMLElement, bar: HTMLProgressElement, told: HTMLElement, button: HTMLButtonElement, abort: AbortController }} Upload */

/** @type {Upload[]} */
let uploads = [];

/** @param {State} state */
const inState = (state) => uploads.filter((upload) => upload.state === state);

export const isUploading = () => inState('waiting').length + inState('sending').length > 0;

/** @type {(folder: string) => void} */
let onUploaded = () => {};

/** @param {(folder: string) => void} act is called with the folder of each uploaded file */
export const whenUploaded = (act) => {
  onUploaded = act;
};

/** @param {Upload} upload @param {State} state @param {string} text */
const setState = (upload, state, text) => {
  const { item, bar, told, button, transfer } = upload;
  const isOpen = state === 'waiting' || state === 'sending';
  upload.state = state;
  item.dataset.state = state;
  told.textContent = text;
  bar.hidden = !isOpen;
  const label = isOpen ? texts.cancel : texts.retry;
  button.textContent = label;
  button.setAttribute('aria-label', `${label}: ${transfer.file.name}`);
  // The button is hidden now, so move the focus to the heading.
  if (state === 'uploaded' && document.activeElement === button) byId('uploads-title').focus();
  button.hidden = state === 'uploaded';
  byId('clear').hidden = uploads.length === inState('waiting').length + inState('sending').length;
};

const tellAll = () => {
  if (isUploading()) return setText('uploads-told', '');
  const [done, failed] = [inState('uploaded').length, inState('failed').length];
  const told = [
    ...(done > 0 ? [texts.uploadedAll(done)] : []),
    ...(failed > 0 ? [texts.failedSome(failed)] : []),
  ];
  setText('uploads-told', told.join(', '));
};

/** @param {Upload} upload */
const run = async (upload) => {
  const { transfer, bar } = upload;
  const { signal } = upload.abort;
  setState(upload, 'sending', texts.sending(0));
  bar.value = 0;
  try {
    await runTransfer(
      transfer,
      (part) => {
        bar.value = part;
        if (signal.aborted) return;
        upload.told.textContent = part < 1 ? texts.sending(Math.floor(100 * part)) : texts.checking;
      },
      signal,
    );
    setState(upload, 'uploaded', texts.uploaded);
    onUploaded(transfer.folder);
  } catch (failure) {
    if (!signal.aborted) return setState(upload, 'failed', getMessage(failure));
    setState(upload, 'canceled', texts.canceled);
    await cancelTransfer(transfer);
    onUploaded(transfer.folder);
  }
};

const runNext = async () => {
  const [next] = inState('waiting');
  if (!next || inState('sending').length >= concurrency) return tellAll();
  const running = run(next);
  runNext();
  await running;
  runNext();
};

/** @param {Upload} upload */
const toggle = (upload) => {
  const { state } = upload;
  if (state === 'sending') return upload.abort.abort();
  if (state === 'waiting') {
    setState(upload, 'canceled', texts.canceled);
    return tellAll();
  }
  upload.abort = new AbortController();
  setState(upload, 'waiting', texts.waiting);
  runNext();
};

/** @param {File} file @param {string} folder @returns {Upload} */
const newUpload = (file, folder) => {
  const item = document.createElement('li');
  const text = document.createElement('div');
  const bar = /** @type {HTMLProgressElement} */ (document.createElement('progress'));
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute('aria-label', texts.progress(file.name));
  const about = createElement('p', 'about', `${formatBytes(file.size)} · `);
  const told = createElement('span', 'state');
  about.append(told);
  text.append(createElement('p', 'name', file.name), bar, about);
  const button = /** @type {HTMLButtonElement} */ (createElement('button', 'quiet'));
  button.type = 'button';
  item.append(text, button);
  /** @type {Upload} */
  const upload = {
    transfer: newTransfer(file, folder),
    state: 'waiting',
    item,
    bar,
    told,
    button,
    abort: new AbortController(),
  };
  button.addEventListener('click', () => toggle(upload));
  return upload;
};

/**
 * Uploads files to a folder.
 * @param {readonly File[]} files @param {string} folder empty for none
 */
export const uploadAll = (files, folder) => {
  const made = files.map((file) => newUpload(file, folder));
  uploads.push(...made);
  for (const upload of made) setState(upload, 'waiting', texts.waiting);
  byId('upload-list').append(...made.map(({ item }) => item));
  byId('uploads').hidden = uploads.length === 0;
  setText('uploads-wrong', '');
  runNext();
};

/** Removes finished uploads from the list, and cancels failed ones. Uploaded files stay. */
export const clearUploads = () => {
  const isOpen = (/** @type {Upload} */ { state }) => state === 'waiting' || state === 'sending';
  for (const upload of uploads) {
    if (isOpen(upload)) continue;
    upload.item.remove();
    // A fully sent upload may have become a file already.
    if (upload.state === 'failed' && !upload.transfer.isSent) cancelTransfer(upload.transfer);
  }
  uploads = uploads.filter(isOpen);
  byId('clear').hidden = true;
  byId('uploads').hidden = uploads.length === 0;
  setText('uploads-told', '');
};
