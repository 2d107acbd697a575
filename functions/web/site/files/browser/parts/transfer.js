import { ApiError, request } from '../../../../browser/api.js';
import { filesTexts as texts } from '../../texts.ts';
import { post, sendForm } from './send.js';

/*
 * An upload requests a form, posts the file to S3 and completes it. Finished steps are kept, so a retry continues where
 * the last attempt failed.
 */

/** @typedef {{ id: number, url: string, fields: Record<string, string>, expiresAt: string }} Form */
/** @typedef {{ file: File, folder: string, key: string, form: Form | undefined, isSent: boolean }} Transfer */

/** The minimum remaining validity of a form. ms. */
const marginMs = 30_000;

/** @param {File} file @param {string} folder its path @returns {Transfer} */
export const newTransfer = (file, folder) => ({
  file,
  folder,
  key: crypto.randomUUID(),
  form: undefined,
  isSent: false,
});

/** @param {Transfer} transfer */
const forget = (transfer) => {
  transfer.form = undefined;
  transfer.isSent = false;
  transfer.key = crypto.randomUUID();
};

/**
 * Cancels an upload to free its storage. If that fails, the service does so later.
 * @param {Transfer} transfer
 */
export const cancelTransfer = async (transfer) => {
  const { form } = transfer;
  forget(transfer);
  if (form) await request('DELETE', `/api/files/${form.id}`).catch(() => undefined);
};

/** @param {Form} form */
const isOver = ({ expiresAt }) => Date.parse(expiresAt) - marginMs < Date.now();

/** Throws if the file was changed, moved or deleted since it was chosen. @param {File} file */
const assertReadable = async (file) => {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new ApiError(0, texts.changed);
  }
};

/** @param {Transfer} transfer */
const complete = async (transfer) => {
  try {
    return await post(`/api/files/${transfer.form?.id}/complete`, {});
  } catch (failure) {
    const { status } = /** @type {ApiError} */ (failure);
    // The file is missing or the upload expired: a retry sends it again.
    if (status === 409) transfer.isSent = false;
    if (status === 404) forget(transfer);
    throw failure;
  }
};

/**
 * Runs the remaining steps of an upload.
 * @param {Transfer} transfer
 * @param {(part: number) => void} onProgress receives the sent fraction, from 0 to 1
 * @param {AbortSignal} signal
 * @returns {Promise<any>} the file as the API shows it
 * @throws ApiError, or the abort reason of the signal
 */
export const runTransfer = async (transfer, onProgress, signal) => {
  const { file, folder } = transfer;
  await assertReadable(file);
  if (transfer.form && !transfer.isSent && isOver(transfer.form)) await cancelTransfer(transfer);
  transfer.form ??= await post(
    '/api/files/presign',
    { name: file.name, size: file.size, folder },
    transfer.key,
  );
  signal.throwIfAborted();
  if (!transfer.isSent) {
    await sendForm(/** @type {Form} */ (transfer.form), file, onProgress, signal);
    transfer.isSent = true;
  }
  onProgress(1);
  const made = await complete(transfer);
  signal.throwIfAborted();
  return made;
};
