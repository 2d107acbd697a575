import { ApiError, request } from '../../../../browser/api.js';
import { clearFailures, showFailure } from '../../../../browser/forms.js';
import { byId, setText } from '../../../../browser/page.js';
import { countBytes, mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';
import { tooLargeText } from './file.js';
import { atControl, chosenOptions } from './options.js';
import { showResult } from './result.js';
import {
  content,
  description,
  editId,
  endDraft,
  form,
  keepDraft,
  language,
  leaveForLogin,
  storedVersion,
  title,
} from './text.js';
import { upload } from './upload.js';

/** The size from which progress is shown. Bytes. */
const largeBytes = 100_000;

let isSignedIn = true;

/** Records that sharing requires signing in first. */
export const noteSignedOut = () => {
  isSignedIn = false;
};

/** @param {number} percent */
const showProgress = (percent) => {
  byId('progress').value = percent;
  setText('percent', percent < 100 ? texts.sending(percent) : texts.storing);
};

/** @param {string} text */
const refuseContent = (text) => {
  content.setAttribute('aria-invalid', 'true');
  setText('share-content-wrong', text);
  content.focus();
};

/**
 * @returns {string
 * undefined} why the text can't be shared
 */
const whyNot = () => {
  if (content.value === '') return texts.empty;
  const bytes = countBytes(content.value);
  const most = mostBytes[/** @type {'markdown' | 'html'} */ (language.value)];
  return bytes > most ? tooLargeText(language.value, bytes) : undefined;
};

/** @param {unknown} failure */
const showWrong = (failure) => {
  if (!(failure instanceof ApiError)) return showFailure(form, failure);
  const { status, message, details } = failure;
  // Sign in opens in a new tab, because drafts don't keep the password.
  if (status === 401) {
    byId('sign-in').hidden = false;
    return showFailure(form, new ApiError(status, texts.signedOutMeanwhile));
  }
  if (status === 412) return showFailure(form, new ApiError(status, texts.changedMeanwhile));
  // The gateway's 413 has no fields: the content became too large by JSON encoding.
  if (status === 413 && details.length === 0) return refuseContent(whyNot() ?? texts.tooLargeSent);
  showFailure(form, new ApiError(status, message, details.map(atControl)));
  // Only the API knows the number of views.
  byId('end-offer').hidden =
    editId === undefined ||
    !details.some(
      ({ field, message: rule }) => field === 'viewLimit' && rule.endsWith('already counted'),
    );
};

/** Ends the edited share. */
const endNow = async () => {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  try {
    await request('POST', `/api/share/${encodeURIComponent(editId ?? '')}/end`);
    endDraft();
    form.hidden = true;
    byId('back').hidden = false;
    byId('heading').className = '';
    byId('heading').tabIndex = -1;
    setText('heading', texts.endedNow);
    byId('heading').focus();
  } catch (failure) {
    showWrong(failure);
  } finally {
    form.ariaBusy = 'false';
  }
};
byId('end-now').addEventListener('click', endNow);

const toBody = () => ({
  content: content.value,
  language: language.value,
  title: title.value.trim() || null,
  description: description.value.trim() || null,
  ...chosenOptions(editId !== undefined),
});

/** The last body and its Idempotency-Key. */
let last = { body: '', key: '' };

/**
 * Returns the Idempotency-Key of a body: repeating it after a lost response creates no second share. Without a key for
 * generated passwords, which only the first response contains.
 * @param {string} body
 */
const repeatHeaders = (body) => {
  if (form.elements.passwordMode.value === 'random') return {};
  if (last.body !== body) last = { body, key: crypto.randomUUID() };
  return { 'idempotency-key': last.key };
};

const send = () => {
  const body = JSON.stringify(toBody());
  if (editId === undefined) {
    return upload('POST', '/api/share', { body, headers: repeatHeaders(body) }, showProgress);
  }
  const headers = { 'if-match': `"${storedVersion()}"` };
  return upload('PUT', `/api/share/${encodeURIComponent(editId)}`, { body, headers }, showProgress);
};

/** Creates or updates the share, and shows errors beside their fields. */
export const share = async () => {
  if (form.ariaBusy === 'true') return;
  clearFailures(form);
  byId('end-offer').hidden = true;
  byId('sign-in').hidden = true;
  const wrong = whyNot();
  if (wrong !== undefined) return refuseContent(wrong);
  // Without a saved draft, stay here: the user may have signed in elsewhere.
  if (!isSignedIn && leaveForLogin()) return;
  form.ariaBusy = 'true';
  showProgress(0);
  byId('sending').hidden = countBytes(content.value) < largeBytes;
  try {
    const shared = await send();
    endDraft();
    showResult(shared, editId !== undefined);
  } catch (failure) {
    keepDraft();
    showWrong(failure);
  } finally {
    form.ariaBusy = 'false';
    byId('sending').hidden = true;
  }
};
