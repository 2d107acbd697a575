import { effect, signal } from '@preact/signals';
import { guardWork } from '../../../../browser/shell/unsaved.ts';
import { composerTexts as texts } from '../../texts.ts';
import { countContentBytes, editor, language, noteExactText, revision } from './content.ts';
import { type Draft, deleteDraft, readDraft, type Snapshot, saveDraft } from './draft.ts';
import { controls } from './elements.ts';
import { allFields, differ, fillFields, takeSnapshot, textFields } from './fields.ts';
import { notice, olderNotice, tell } from './notice.ts';
import { files } from './open-files.ts';
import { showChosen } from './options.ts';
import { pane } from './preview.ts';
import { getLoginPath } from './sign-in.ts';

/** The pause in typing after which the preview and the draft are updated. ms. */
const pauseMs = 250;

/** The id of the edited share; `undefined` for a new one. */
export const editId = new URLSearchParams(location.search).get('edit') ?? undefined;

/** The id of the share that a new one begins as a copy of. */
export const copyId = new URLSearchParams(location.search).get('duplicate') ?? undefined;

/** The fields of a draft. Options of an existing share are not stored, because they may have changed since. */
const keptFields: readonly string[] = editId === undefined ? allFields : textFields;

/** The size of the content as UTF-8. */
export const bytes = signal(0);

/** Whether there is something to discard. While the user types, whether there may be. */
export const isChanged = signal(false);

/** Whether a draft is stored in the browser. */
export const isStored = signal(false);

/** The initial values: empty, or those of the stored share. */
let unchanged = takeSnapshot();
/** Whether drafts are saved: not while the share loads, and not after it was shared. */
let isOpen = editId === undefined && copyId === undefined;
let version: number | undefined;
let isKept = true;
let isAway = false;
/** The offered draft of an older version. */
let older: Draft | undefined;

/** Returns the version of the share when editing began; a newer one is not overwritten. */
export const getStoredVersion = (): number | undefined => version;

/** Returns the initial value of a field, which is that of the stored share. */
export const getUnchanged = (name: string): string => unchanged.fields[name] ?? '';

/** Whether the content is that of the stored share. */
export const isContentUnchanged = (): boolean => editor.getText() === unchanged.content;

/** Notes that the form holds this version of the share, or the copy of one. */
export const noteStored = (ofShare: number | undefined): void => {
  unchanged = takeSnapshot();
  version = ofShare;
  isOpen = true;
};

/** Saves the draft in the browser, or deletes it if nothing changed. */
export const keepDraft = (): void => {
  if (!isOpen) return;
  const now = takeSnapshot();
  isChanged.value = differ(now, unchanged);
  if (!differ(now, unchanged, keptFields)) {
    isStored.value = false;
    // A restored draft replaced the stored one and may have been undone.
    if (older) saveDraft(older);
    else deleteDraft(editId);
    return;
  }
  const wasKept = isKept;
  isKept = saveDraft({ id: editId, version, ...takeSnapshot(keptFields), isAway });
  isStored.value = isKept && !files.opened?.isUnkept();
  if (wasKept && !isKept) tell(texts.notKept);
};

/** Saves the draft and leaves to sign in. Returns `false` if the draft could not be saved. */
export const leaveForLogin = (): boolean => {
  isAway = true;
  keepDraft();
  isAway = isKept;
  if (isKept) location.assign(getLoginPath());
  return isKept;
};

/** The files of a draft are loaded before it is shown. */
const showPreview = (): void => {
  const isLoading = !files.opened && controls.files.value !== '';
  if (!isLoading) (files.opened ?? pane).show(language.value, editor.getText());
};

/** Updates everything that depends on the values. */
export const showAll = (): void => {
  bytes.value = countContentBytes();
  isChanged.value = differ(takeSnapshot(), unchanged);
  showChosen();
  showPreview();
};

let timer: ReturnType<typeof setTimeout> | undefined;

/** Notes a change. What takes the whole text waits for a pause. */
export const noteChange = (): void => {
  bytes.value = countContentBytes();
  isChanged.value = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    keepDraft();
    showPreview();
  }, pauseMs);
};

effect(() => {
  if (revision.value > 0) noteChange();
});

/** Fills in a draft as the values to begin with. */
export const load = (from: Snapshot, names?: readonly string[]): void => {
  editor.load(from.content);
  noteExactText(from.content);
  fillFields(from.fields, names);
};

/** Replaces the values, which can be undone. */
const replace = (from: Snapshot, names?: readonly string[]): void => {
  editor.setText(from.content);
  fillFields(from.fields, names);
  files.opened?.restore();
  editor.focus();
  showChosen();
  noteChange();
};

/** Offers to undo a change by restoring the values before it. The undo itself can be undone. */
export const offerUndo = (text: string, before: Snapshot, undone?: () => void): void => {
  const run = () => {
    const now = takeSnapshot();
    replace(before);
    undone?.();
    offerUndo(texts.undone, now);
  };
  notice.value = { text, action: { label: texts.undo, run } };
};

/** Offers a draft that what is shown would replace. */
const offerOlder = (draft: Draft | undefined, text: string, done: string): void => {
  older = draft;
  const run = () => {
    if (!draft) return;
    const before = takeSnapshot();
    withdraw();
    replace(draft, keptFields);
    offerUndo(done, before, () => offerOlder(draft, text, done));
  };
  olderNotice.value = draft && { text, action: { label: texts.bringBack, run } };
};

/** Takes the offer of a draft back. */
const withdraw = (): void => offerOlder(undefined, '', '');

/** Offers the draft of another new share, which a copy would replace. */
export const offerDraft = (text: string): void => {
  const draft = readDraft(undefined);
  if (draft && differ(draft, unchanged)) offerOlder(draft, text, texts.isBack);
};

/**
 * Restores the draft of the edited share; returns whether there was one. A draft of an older version is only offered,
 * because saving it would replace newer content.
 */
export const resumeEdit = (): boolean => {
  const draft = readDraft(editId);
  if (!draft || !differ(draft, unchanged, textFields)) return false;
  if (draft.version !== version) {
    offerOlder(draft, texts.older, texts.broughtBack);
    return false;
  }
  load(draft, textFields);
  isStored.value = true;
  return true;
};

/** Deletes the draft once it is shared. */
export const endDraft = (): void => {
  isOpen = false;
  isStored.value = false;
  clearTimeout(timer);
  deleteDraft(editId);
  withdraw();
  tell('');
};

/** Goes back to the initial values. */
export const discard = (): void => {
  const before = takeSnapshot();
  replace(unchanged);
  offerUndo(texts.discarded, before);
};

addEventListener('pagehide', keepDraft);
addEventListener('pageshow', () => {
  isAway = false;
});

/** Drafts lack the password, the passphrase, and the options of an existing share. */
const hasUnkept = (now: Snapshot): boolean => {
  const names = allFields.filter((name) => !keptFields.includes(name));
  const isOwnPassword = controls.passwordMode.value === 'own' && controls.password.value !== '';
  const isOwnPassphrase = controls.sealed.checked && controls.passphrase.value !== '';
  return (
    isOwnPassword ||
    isOwnPassphrase ||
    names.some((name) => now.fields[name] !== unchanged.fields[name])
  );
};

guardWork({
  getName: () => texts.thisShare,
  isChanged: () => isOpen && isChanged.value,
  isLost: () => {
    if (!isOpen || isAway) return false;
    keepDraft();
    const now = takeSnapshot();
    const isUnkept = !isKept || files.opened?.isUnkept();
    return hasUnkept(now) || (isUnkept && differ(now, unchanged, keptFields)) === true;
  },
  discard: () => {
    isOpen = false;
  },
});
