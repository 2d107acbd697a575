import { ApiError, getLoginPath, getMessage, request } from '../../../browser/api.js';
import { showModerationLink } from '../../../browser/navigation.js';
import { byId, setText } from '../../../browser/page.js';
import { siteTexts } from '../../../layout/texts.ts';
import { composerTexts as texts } from '../texts.ts';
import { kept } from './parts/draft.js';
import { FileError, readTextFile } from './parts/file.js';
import { getShowOptions } from './parts/options.js';
import { noteSignedOut, share } from './parts/sharing.js';
import * as text from './parts/text.js';

const { form, content, language, title, description } = text;

/**
 * Replaces the content with that of a file. @param {File
 * undefined} file
 */
const takeFile = async (file) => {
  if (!file) return;
  setText('share-content-wrong', '');
  try {
    const read = await readTextFile(file);
    const before = text.snapshot();
    content.value = read.text;
    language.value = read.language;
    if (title.value === '') title.value = read.name.replace(/\.\w+$/, '').slice(0, 200);
    text.noteChange();
    if (before.content !== '') text.offerUndo(texts.replaced(read.name), before);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    setText('share-content-wrong', error.message);
  }
};

const showSignedOut = () => {
  noteSignedOut();
  byId('signed-out').hidden = false;
  byId('shortcut').hidden = true;
  /** @type {HTMLAnchorElement | null} */
  const link = document.querySelector('a[href="/account"]');
  if (!link) return;
  link.href = getLoginPath();
  link.textContent = siteTexts.signIn;
};

const loadUser = async () => {
  try {
    showModerationLink((await request('GET', '/api/auth/me')).data.permissions);
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 401) showSignedOut();
  }
};

const startNew = async () => {
  const draft = kept(undefined);
  if (draft) text.fill(draft);
  text.showAll();
  if (draft?.isAway) {
    text.tell(draft.fields['passwordMode'] === 'own' ? texts.passwordAgain : texts.isBack);
    text.keepDraft();
  }
  await loadUser();
};

/** @param {any} found */
const showStored = (found) => {
  title.value = found.title ?? '';
  description.value = found.description ?? '';
  content.value = found.content;
  language.value = found.language;
  getShowOptions(found);
};

/** @param {unknown} failure */
const showNotEditable = (failure) => {
  const { status = 0 } = failure instanceof ApiError ? failure : {};
  if (status === 401) return location.replace(getLoginPath());
  form.hidden = true;
  byId('heading').className = '';
  byId('back').hidden = false;
  setText('failure', status === 410 ? texts.ended : getMessage(failure));
};

/** @param {string} id */
const startEdit = async (id) => {
  form.hidden = true;
  document.title = `${texts.editTitle} · ${siteTexts.brand}`;
  document.querySelector('nav [aria-current]')?.removeAttribute('aria-current');
  setText('heading', texts.editTitle);
  setText('send', texts.save);
  setText('discard', texts.revert);
  try {
    const found = await request('GET', `/api/share?mine=true&id=${encodeURIComponent(id)}`);
    if (['ended', 'taken-down'].includes(found.status)) throw new ApiError(410, texts.ended);
    form.hidden = false;
    showStored(found);
    text.noteStored(found.version);
    const isBack = text.resume(kept(id));
    text.showAll();
    text.tell(isBack ? texts.textIsBack : texts.editing);
    await loadUser();
  } catch (failure) {
    showNotEditable(failure);
  }
};

form.addEventListener('input', text.noteChange);
form.addEventListener('change', (/** @type {any} */ { target }) => {
  if (target.name === 'pane') byId('panes').dataset.shown = target.value;
});
form.addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  share();
});
form.addEventListener('keydown', (/** @type {any} */ event) => {
  if (event.key !== 'Enter' || event.isComposing) return;
  const isShortcut = event.ctrlKey || event.metaKey;
  // Enter alone in an input must not share by mistake.
  if (isShortcut || event.target.matches('input')) event.preventDefault();
  if (isShortcut) share();
});
byId('file').addEventListener('change', async (/** @type {any} */ { target }) => {
  await takeFile(target.files[0]);
  // Allows choosing the same file again.
  target.value = '';
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
  form.classList.remove('dropping');
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  if (!form.hidden) takeFile(file);
});

if (text.editId === undefined) startNew();
else startEdit(text.editId);
