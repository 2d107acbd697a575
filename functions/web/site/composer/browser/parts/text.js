import { getLoginPath } from '../../../../browser/api.js';
import { byId, setText } from '../../../../browser/page.js';
import { countBytes, formatBytes, mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';
import * as drafts from './draft.js';
import { showChosen } from './options.js';
import { showPreview } from './preview.js';

/** The pause in typing after which the preview and the draft are updated. ms. */
const pauseMs = 250;

export const form = byId('composer');
export const { title, description, content, language } = form.elements;

/** The id of the edited share; `undefined` for a new one. */
export const editId = new URLSearchParams(location.search).get('edit') ?? undefined;

const textFields = ['title', 'description', 'language'];
/** Without the password, which is never stored. */
const optionFields = ['passwordMode', 'viewLimit', 'expires', 'expiresAt'];
const allFields = [...textFields, ...optionFields];

/** The fields of a draft. Options of an existing share are not stored, because they may have changed since. */
const keptFields = editId === undefined ? allFields : textFields;

/** Returns the current form values, without the password. */
export const snapshot = (names = allFields) => {
  const values = new FormData(form);
  const fields = Object.fromEntries(names.map((name) => [name, String(values.get(name))]));
  return { content: content.value, fields };
};

/** @typedef {ReturnType<typeof snapshot>} Snapshot */

/** The initial form values: empty, or those of the stored share. */
let unchanged = snapshot();

/** Whether drafts are saved: not while the share loads, and not after it was shared. */
let isOpen = editId === undefined;

/** @type {number | undefined} */
let version;

/** The version of the share when editing began; a newer version is not overwritten. */
export const storedVersion = () => version;

/** Records that the form is saved as this version of the share. @param {number} ofShare */
export const noteStored = (ofShare) => {
  unchanged = snapshot();
  version = ofShare;
  isOpen = true;
};

/** @param {Snapshot} one @param {Snapshot} other @param {string[]} names */
const differ = (one, other, names) =>
  one.content !== other.content || names.some((name) => one.fields[name] !== other.fields[name]);

const isChanged = (names = allFields) => differ(snapshot(), unchanged, names);

/** Shows a message about the text, replacing the previous one. @param {string} text */
export const tell = (text) => {
  byId('undo').hidden = true;
  setText('told', text);
};

let isKept = true;
let isAway = false;

/**
 * The offered draft of an older version. @type {drafts.Draft
 * undefined}
 */
let older;

/** Saves the draft in the browser, or deletes it if nothing changed. */
export const keepDraft = () => {
  if (!isOpen) return;
  if (!isChanged(keptFields)) {
    // A restored draft replaced the stored one and may have been undone.
    if (older) drafts.saveDraft(older);
    else drafts.forget(editId);
    return;
  }
  const wasKept = isKept;
  isKept = drafts.saveDraft({ id: editId, version, ...snapshot(keptFields), isAway });
  if (wasKept && !isKept) tell(texts.notKept);
};

/** Saves the draft and leaves to sign in. @returns {boolean} false if the draft could not be saved */
export const leaveForLogin = () => {
  isAway = true;
  keepDraft();
  isAway = isKept;
  if (isKept) location.assign(getLoginPath());
  return isKept;
};

const showSize = () => {
  const most = mostBytes[/** @type {'markdown' | 'html'} */ (language.value)];
  const bytes = countBytes(content.value);
  setText('size', texts.size(formatBytes(bytes), formatBytes(most)));
  byId('size').classList.toggle('over', bytes > most);
  byId('discard').hidden = !isChanged();
};

/** Updates everything that depends on the form values. */
export const showAll = () => {
  showSize();
  showChosen();
  showPreview(language.value, content.value);
};

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Updates the preview and the draft after a pause. */
export const noteChange = () => {
  showSize();
  clearTimeout(timer);
  timer = setTimeout(() => {
    keepDraft();
    showPreview(language.value, content.value);
  }, pauseMs);
};

/** Deletes the draft once it is shared. */
export const endDraft = () => {
  isOpen = false;
  clearTimeout(timer);
  drafts.forget(editId);
  offerOlder(undefined);
  tell('');
};

/** @param {Snapshot} from */
export const fill = ({ content: text, fields }, names = allFields) => {
  content.value = text;
  for (const name of names) {
    const control = form.elements.namedItem(name);
    if (fields[name] !== undefined) control.value = fields[name];
  }
};

/** Replaces the form values and updates the preview. @param {Snapshot} from @param {string[]} [names] */
const replace = (from, names) => {
  fill(from, names);
  content.focus();
  showChosen();
  noteChange();
};

/**
 * Offers to undo a change. The undo itself can be undone.
 * @param {string} text that describes the change
 * @param {Snapshot} before form values to restore
 * @param {() => void} [undone]
 */
export const offerUndo = (text, before, undone) => {
  tell(text);
  byId('undo').hidden = false;
  byId('undo').onclick = () => {
    const now = snapshot();
    replace(before);
    undone?.();
    offerUndo(texts.undone, now);
  };
};

/** @param {drafts.Draft | undefined} draft */
const offerOlder = (draft) => {
  older = draft;
  setText('older', draft ? texts.older : '');
  byId('bring-back').hidden = !draft;
};

/**
 * Restores a draft. A draft of an older version is only offered, because saving it would replace newer content.
 * @param {drafts.Draft
 * undefined} draft
 * @returns {boolean} whether the draft was restored
 */
export const resume = (draft) => {
  if (!draft || !differ(draft, unchanged, textFields)) return false;
  if (draft.version !== version) {
    offerOlder(draft);
    return false;
  }
  fill(draft, textFields);
  return true;
};

byId('bring-back').addEventListener('click', () => {
  const [draft, before] = [older, snapshot()];
  if (!draft) return;
  offerOlder(undefined);
  replace(draft, textFields);
  offerUndo(texts.broughtBack, before, () => offerOlder(draft));
});

byId('discard').addEventListener('click', () => {
  const before = snapshot();
  replace(unchanged);
  offerUndo(texts.discarded, before);
});

addEventListener('pagehide', keepDraft);
addEventListener('pageshow', () => {
  isAway = false;
});
addEventListener('beforeunload', (event) => {
  if (isOpen && !isKept && isChanged(keptFields)) event.preventDefault();
});
