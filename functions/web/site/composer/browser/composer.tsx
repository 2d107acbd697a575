import { unreachable } from '../../../browser/client/api-error.ts';
import { startTyping } from '../../../browser/editor/editor.ts';
import { describeKeys } from '../../../browser/shell/page-keys.ts';
import { commandKey } from '../../../browser/shell/platform.ts';
import { orReload } from '../../../browser/shell/reload.ts';
import { composerTexts as texts } from '../texts.ts';
import { startPeople } from './parts/audience/people-place.tsx';
import { editor, scroller } from './parts/content.ts';
import { type Draft, readDraft } from './parts/draft.ts';
import { byId, form, preview } from './parts/elements.ts';
import { resumeFiles, startFiles } from './parts/files.ts';
import { tell } from './parts/notice.ts';
import { startNotices } from './parts/notices.tsx';
import { showChosen } from './parts/options.ts';
import { showNotEditable } from './parts/page-states.ts';
import { startPasting } from './parts/pasting.ts';
import { pane } from './parts/preview.ts';
import { startScrolling } from './parts/scrolling.ts';
import { takeFragment } from './parts/sealing/sealed.ts';
import { startBar } from './parts/share-bar.ts';
import { endNow, share } from './parts/sharing.ts';
import {
  copyId,
  discard,
  editId,
  isStored,
  keepDraft,
  load,
  noteChange,
  showAll,
} from './parts/state.ts';
import { startToolbar } from './parts/toolbar.ts';

/** Says that a draft is back, and what it lacks. */
const describeBack = ({ sealed, hasPassphrase, passwordMode }: Draft['fields']): string => {
  const isLacking = sealed ? hasPassphrase : passwordMode === 'own';
  return isLacking ? texts.secretAgain(sealed ? 'passphrase' : 'password') : texts.isBack;
};

const startNew = (): void => {
  const draft = readDraft(undefined);
  if (draft) load(draft);
  resumeFiles();
  isStored.value = draft !== undefined;
  showAll();
  startTyping(editor);
  if (!draft?.isAway) return;
  tell(describeBack(draft.fields));
  keepDraft();
};

/** Loads what shows stored shares, because most texts are new, and begins with one. */
const startStored = async (): Promise<void> => {
  const part = await orReload(import('./parts/stored/stored.ts')).catch(() => undefined);
  if (part) await part.startStored();
  else showNotEditable(unreachable(undefined).message);
};

const isOfEditor = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('.src') !== null;

form.addEventListener('input', (event) => {
  if (isOfEditor(event)) return;
  showChosen();
  noteChange();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void share();
});
form.addEventListener('keydown', (event) => {
  // Enter alone in a field must not share by mistake.
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
});
// Also where nothing of the form has the focus.
addEventListener('keydown', (event) => {
  const { key, isComposing, ctrlKey, metaKey } = event;
  if (key !== 'Enter' || isComposing || !(ctrlKey || metaKey)) return;
  if (!form.checkVisibility() || document.querySelector('dialog:modal')) return;
  event.preventDefault();
  form.requestSubmit();
});
byId('discard').addEventListener('click', () => {
  byId('composer-menu').hidePopover();
  discard();
});
byId('end-now').addEventListener('click', () => {
  byId('options').hidePopover();
  void endNow();
});

const storedId = editId ?? copyId;
if (storedId !== undefined) takeFragment(storedId);
describeKeys([[texts.share, [commandKey, '↵']]]);
startToolbar();
startNotices();
startBar();
startPeople();
startFiles();
startPasting();
startScrolling({ editor, scroller, pane, preview });
if (storedId !== undefined) void startStored();
else startNew();
