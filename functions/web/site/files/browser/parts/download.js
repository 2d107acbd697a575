import { ApiError, getLoginPath } from '../../../../browser/api.js';
import { runAction } from '../../../../browser/page.js';
import { commonTexts } from '../../../../browser/texts.ts';

let isLeaving = false;

/** Is the page led to a download just now? That doesn't leave it; whatever comes next may. */
export const isLedToDownload = () => {
  const isDownload = isLeaving;
  isLeaving = false;
  return isDownload;
};

/** @param {MouseEvent} event is it a click that a link itself knows better, such as one for a new tab? */
export const isForBrowser = ({ button, ctrlKey, metaKey, shiftKey, altKey }) =>
  button !== 0 || ctrlKey || metaKey || shiftKey || altKey;

/**
 * Downloads what a link leads to; where it leads to a refusal that is told on this page.
 * @param {MouseEvent} event @param {string} path
 */
export const download = (event, path) => {
  if (isForBrowser(event)) return;
  event.preventDefault();
  runAction('files', async () => {
    // The store's own answer is for the browser, not for this script.
    const response = await fetch(path, { redirect: 'manual' }).catch(() => {
      throw new ApiError(0, commonTexts.unreachable);
    });
    if (response.type === 'opaqueredirect') {
      isLeaving = true;
      location.assign(path);
      return '';
    }
    if (response.status === 401) location.replace(getLoginPath());
    const answer = await response.json().catch(() => undefined);
    throw new ApiError(response.status, answer?.error?.message ?? commonTexts.failed);
  });
};
