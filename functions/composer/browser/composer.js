import { call, Failure, loginPath, messageOf } from '../../assets/browser/modules/api.js';
import { clearFailures, showFailure } from '../../assets/browser/modules/forms.js';
import { byId, say } from '../../assets/browser/modules/page.js';
import { siteTexts, composerTexts as texts } from '../../texts.ts';
import { bytesOf, bytesText, mostBytes } from '../content.ts';
import * as drafts from './parts/draft.js';
import { FileError, readTextFile, tooLargeText } from './parts/file.js';
import { atControl, chosenOptions, showChosen, showOptionsOf } from './parts/options.js';
import { showPreview } from './parts/preview.js';
import { showResult } from './parts/result.js';
import { upload } from './parts/upload.js';

/** From here on it is shown how much is sent. Bytes. */
const largeBytes = 100_000;
const previewDelayMs = 250;

const form = byId('composer');
const { title, description, content, language } = form.elements;
/** The fields that a draft has beside the text; the password is none of them. */
const keptFields = [
  'title',
  'description',
  'language',
  'passwordMode',
  'viewLimit',
  'expires',
  'expiresAt',
];
const editId = new URLSearchParams(location.search).get('edit') ?? undefined;
let isSignedIn = true;
let isShared = false;

/** @param {'told' | 'failure'} place @param {string} text */
const tell = (place, text) => {
  byId('undo').hidden = true;
  say(place, text);
};

const snapshot = () => {
  const values = new FormData(form);
  const fields = Object.fromEntries(keptFields.map((name) => [name, String(values.get(name))]));
  return { content: content.value, fields };
};

/** @typedef {ReturnType<typeof snapshot>} Snapshot */

/** What the form holds that nobody has changed: nothing, or the share as it is stored. @type {Snapshot} */
let stored = snapshot();

const isChanged = () => JSON.stringify(snapshot()) !== JSON.stringify(stored);

const showSize = () => {
  const most = mostBytes[/** @type {'markdown' | 'html'} */ (language.value)];
  const bytes = bytesOf(content.value);
  say('size', texts.size(bytesText(bytes), bytesText(most)));
  byId('size').classList.toggle('over', bytes > most);
  byId('discard').hidden = !isChanged();
};

/** @param {boolean} isAway gone to sign in, to come back */
const keepDraft = (isAway = false) => {
  if (isShared) return;
  if (!isChanged()) return drafts.forget(editId);
  const isKept = drafts.keep({ id: editId, ...snapshot(), isAway });
  if (!isKept) tell('told', texts.tooLargeToKeep);
};

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
const showSoon = () => {
  showSize();
  clearTimeout(timer);
  timer = setTimeout(() => {
    keepDraft();
    showPreview(language.value, content.value);
  }, previewDelayMs);
};

const showNow = () => {
  showSize();
  showChosen();
  showPreview(language.value, content.value);
};

/** @param {Record<string, string>} fields */
const fill = (fields) => {
  for (const [name, value] of Object.entries(fields)) {
    const control = form.elements.namedItem(name);
    if (control && keptFields.includes(name)) control.value = value;
  }
};

/** @param {Snapshot} before */
const restore = (before) => {
  content.value = before.content;
  fill(before.fields);
  content.focus();
  showChosen();
  showSoon();
};

/** @param {string} text @param {Snapshot} before */
const offerUndo = (text, before) => {
  tell('told', text);
  byId('undo').hidden = false;
  byId('undo').onclick = () => {
    tell('told', '');
    restore(before);
  };
};

/** @param {File | undefined} file */
const takeFile = async (file) => {
  if (!file) return;
  say('share-content-wrong', '');
  try {
    const { name, language: its, text } = await readTextFile(file);
    const before = snapshot();
    content.value = text;
    language.value = its;
    if (title.value === '') title.value = name.replace(/\.\w+$/, '').slice(0, 200);
    showSoon();
    if (before.content !== '') offerUndo(texts.replaced(name), before);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    say('share-content-wrong', error.message);
  }
};

const goToLogin = () => {
  keepDraft(true);
  location.assign(loginPath());
};

/** @param {number} percent */
const showProgress = (percent) => {
  byId('progress').value = percent;
  say('percent', percent < 100 ? texts.sending(percent) : texts.storing);
};

/** @param {unknown} failure */
const showWrong = (failure) => {
  if (!(failure instanceof Failure)) return showFailure(form, failure);
  if (failure.status === 401) return goToLogin();
  const isTooMuch = failure.status === 413 && failure.details.length === 0;
  if (isTooMuch) {
    say('share-content-wrong', tooLargeText(language.value, bytesOf(content.value)));
    return content.focus();
  }
  const details = failure.details.map(atControl);
  showFailure(form, new Failure(failure.status, failure.message, details));
};

/** @returns {string | undefined} why this text can't be sent */
const whyNot = () => {
  if (content.value === '') return texts.empty;
  const bytes = bytesOf(content.value);
  const most = mostBytes[/** @type {'markdown' | 'html'} */ (language.value)];
  return bytes > most ? tooLargeText(language.value, bytes) : undefined;
};

const share = async () => {
  if (form.ariaBusy === 'true' || isShared) return;
  clearFailures(form);
  const wrong = whyNot();
  if (wrong !== undefined) {
    say('share-content-wrong', wrong);
    return content.focus();
  }
  if (!isSignedIn) return goToLogin();
  const isEdit = editId !== undefined;
  const body = {
    content: content.value,
    language: language.value,
    title: title.value.trim() || null,
    description: description.value.trim() || null,
    ...chosenOptions(isEdit),
  };
  form.ariaBusy = 'true';
  byId('sending').hidden = bytesOf(content.value) < largeBytes;
  showProgress(0);
  try {
    const [method, path] = isEdit
      ? ['PUT', `/api/share/${encodeURIComponent(editId)}`]
      : ['POST', '/api/share'];
    const shared = await upload(method, path, body, showProgress);
    isShared = true;
    clearTimeout(timer);
    drafts.forget(editId);
    tell('told', '');
    showResult(shared, isEdit);
  } catch (failure) {
    keepDraft();
    showWrong(failure);
  } finally {
    form.ariaBusy = 'false';
    byId('sending').hidden = true;
  }
};

const showSignedOut = () => {
  isSignedIn = false;
  byId('signed-out').hidden = false;
  byId('shortcut').hidden = true;
  const link = /** @type {HTMLAnchorElement | null} */ (
    document.querySelector('[href="/account"]')
  );
  if (link) {
    link.href = loginPath();
    link.textContent = siteTexts.signIn;
  }
};

const startNew = async () => {
  const draft = drafts.kept(undefined);
  if (draft) {
    content.value = draft.content;
    fill(draft.fields);
    if (draft.isAway) {
      const isOwn = draft.fields.passwordMode === 'own';
      tell('told', isOwn ? texts.passwordAgain : texts.isBack);
      keepDraft();
    }
  }
  showNow();
  try {
    await call('GET', '/api/auth/me');
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.status !== 401) return;
    showSignedOut();
  }
};

/** @param {string} id */
const startEdit = async (id) => {
  form.hidden = true;
  document.title = `${texts.editTitle} · ${siteTexts.brand}`;
  say('heading', texts.editTitle);
  say('send', texts.save);
  say('discard', texts.revert);
  try {
    const found = await call('GET', `/api/share?mine=true&id=${encodeURIComponent(id)}`);
    if (found.status === 'ended' || found.status === 'taken-down') {
      return tell('failure', texts.ended);
    }
    form.hidden = false;
    title.value = found.title ?? '';
    description.value = found.description ?? '';
    content.value = found.content;
    language.value = found.language;
    showOptionsOf(found);
    stored = snapshot();
    const draft = drafts.kept(id);
    if (draft) {
      content.value = draft.content;
      fill(draft.fields);
    }
    tell('told', draft ? texts.isBack : texts.editing);
    showNow();
  } catch (failure) {
    if (failure instanceof Failure && failure.status === 401) return location.replace(loginPath());
    tell(
      'failure',
      failure instanceof Failure && failure.status === 410 ? texts.ended : messageOf(failure),
    );
  }
};

form.addEventListener('input', showSoon);
form.addEventListener('change', (/** @type {Event} */ { target }) => {
  if (/** @type {HTMLElement} */ (target).getAttribute('name') === 'pane') {
    byId('panes').dataset.shown = form.elements.pane.value;
  }
});
form.addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  share();
});
form.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== 'Enter' || event.isComposing) return;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    share();
  } else if (/** @type {HTMLElement} */ (event.target).matches('input')) {
    // In a line it means "done with this", and nobody shares by mistake.
    event.preventDefault();
  }
});
byId('file').addEventListener('change', async () => {
  const input = byId('file');
  await takeFile(input.files[0]);
  // The same file again is a change, too.
  input.value = '';
});
byId('discard').addEventListener('click', () => {
  const before = snapshot();
  restore(stored);
  offerUndo(texts.discarded, before);
});
content.addEventListener('paste', (/** @type {ClipboardEvent} */ event) => {
  const [file] = event.clipboardData?.files ?? [];
  if (!file) return;
  event.preventDefault();
  takeFile(file);
});
document.addEventListener('dragover', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  form.classList.add('dropping');
});
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) form.classList.remove('dropping');
});
document.addEventListener('drop', (event) => {
  const [file] = event.dataTransfer?.files ?? [];
  form.classList.remove('dropping');
  if (!file) return;
  event.preventDefault();
  if (!form.hidden) takeFile(file);
});
addEventListener('pagehide', () => keepDraft());

if (editId === undefined) startNew();
else startEdit(editId);
