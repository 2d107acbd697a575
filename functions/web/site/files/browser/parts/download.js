import { ApiError, getLoginPath } from '../../../../browser/api.js';
import { runAction } from '../../../../browser/page.js';
import { commonTexts } from '../../../../browser/texts.ts';

let isLeaving = false;

/** Returns whether the page navigates to a download, which does not leave it, and resets that. */
export const isLedToDownload = () => {
  const isDownload = isLeaving;
  isLeaving = false;
  return isDownload;
};

/** @param {MouseEvent} event @returns {boolean} whether the browser handles the click, such as for a new tab */
export const isForBrowser = ({ button, ctrlKey, metaKey, shiftKey, altKey }) =>
  button !== 0 || ctrlKey || metaKey || shiftKey || altKey;

/**
 * Downloads the target of a link, and shows API errors on this page.
 * @param {MouseEvent} event @param {string} path
 */
export const download = (event, path) => {
  if (isForBrowser(event)) return;
  event.preventDefault();
  runAction('files', async () => {
    // The script can't read the response of S3, so the browser follows the redirect.
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
