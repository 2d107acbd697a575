import { loginPath } from '../../../assets/browser/modules/api.js';
import { byId, say } from '../../../assets/browser/modules/page.js';
import { composerTexts as texts } from '../../../texts.ts';
import { bytesOf, bytesText, mostBytes } from '../../content.ts';
import * as drafts from './draft.js';
import { showChosen } from './options.js';
import { showPreview } from './preview.js';

/** How long somebody has to pause until what was written is shown and kept. ms. */
const pauseMs = 250;

export const form = byId('composer');
export const { title, description, content, language } = form.elements;

/** The share that is changed; `undefined` for a new one. */
export const editId = new URLSearchParams(location.search).get('edit') ?? undefined;

/** What of the form is kept beside the text; the password is none of it. */
const keptFields = [
  'title',
  'description',
  'language',
  'passwordMode',
  'viewLimit',
  'expires',
  'expiresAt',
];

/** The form as it is now, without the password. */
export const snapshot = () => {
  const values = new FormData(form);
  const fields = Object.fromEntries(keptFields.map((name) => [name, String(values.get(name))]));
  return { content: content.value, fields };
};

/** @typedef {ReturnType<typeof snapshot>} Snapshot */

/** The form as nobody has changed it: empty, or the share as it is stored. */
let unchanged = snapshot();

/** What the form holds now is stored: there is nothing of it to lose. */
export const setUnchanged = () => {
  unchanged = snapshot();
};

const isChanged = () =>
  content.value !== unchanged.content ||
  JSON.stringify(snapshot().fields) !== JSON.stringify(unchanged.fields);

/** Says something about the text, in the place of what was said before. @param {string} text */
export const tell = (text) => {
  byId('undo').hidden = true;
  say('told', text);
};

let isShared = false;
let isKept = true;
let isAway = false;

/** The text is left to sign in, and come back to. */
export const leaveForLogin = () => {
  isAway = true;
  keepDraft();
  location.assign(loginPath());
};

/** Keeps the text in the browser, or nothing if there is nothing to lose. */
export const keepDraft = () => {
  if (isShared) return;
  if (!isChanged()) return drafts.forget(editId);
  const wasKept = isKept;
  isKept = drafts.keep({ id: editId, ...snapshot(), isAway });
  if (wasKept && !isKept) tell(texts.tooLargeToKeep);
};

const showSize = () => {
  const most = mostBytes[/** @type {'markdown' | 'html'} */ (language.value)];
  const bytes = bytesOf(content.value);
  say('size', texts.size(bytesText(bytes), bytesText(most)));
  byId('size').classList.toggle('over', bytes > most);
  byId('discard').hidden = !isChanged();
};

/** Shows what follows from what the form holds. */
export const showAll = () => {
  showSize();
  showChosen();
  showPreview(language.value, content.value);
};

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Shows and keeps what was written, after a pause. */
export const noteChange = () => {
  showSize();
  clearTimeout(timer);
  timer = setTimeout(() => {
    keepDraft();
    showPreview(language.value, content.value);
  }, pauseMs);
};

/** The text is shared: nothing of it is kept any more. */
export const endDraft = () => {
  isShared = true;
  clearTimeout(timer);
  drafts.forget(editId);
  tell('');
};

/** @param {Snapshot} from */
export const fill = ({ content: text, fields }) => {
  content.value = text;
  for (const name of keptFields) {
    const control = form.elements.namedItem(name);
    if (fields[name] !== undefined) control.value = fields[name];
  }
};

/** @param {string} text what was done @param {Snapshot} before what brings it back */
export const offerUndo = (text, before) => {
  tell(text);
  byId('undo').hidden = false;
  byId('undo').onclick = () => {
    tell('');
    fill(before);
    content.focus();
    showChosen();
    noteChange();
  };
};

byId('discard').addEventListener('click', () => {
  const before = snapshot();
  fill(unchanged);
  content.focus();
  showChosen();
  noteChange();
  offerUndo(texts.discarded, before);
});

addEventListener('pagehide', keepDraft);
addEventListener('pageshow', () => {
  isAway = false;
});
addEventListener('beforeunload', (event) => {
  if (!isShared && !isKept && isChanged()) event.preventDefault();
});
