import '../../../browser/common.ts';
import { ApiError } from '../../../browser/client/api-error.ts';
import { startTyping } from '../../../browser/editor/editor.ts';
import { api } from '../../../browser/shell/api.ts';
import { describeKeys } from '../../../browser/shell/page-keys.ts';
import { commandKey } from '../../../browser/shell/platform.ts';
import { signedIn } from '../../../browser/shell/session.ts';
import { composerTexts as texts } from '../texts.ts';
import { editor, noteExactText, scroller, setLanguage } from './parts/content.ts';
import { readDraft } from './parts/draft.ts';
import { byId, form, preview } from './parts/elements.ts';
import { fillFields } from './parts/fields.ts';
import { startFiles } from './parts/files.ts';
import { tell } from './parts/notice.ts';
import { startNotices } from './parts/notices.tsx';
import { type StoredShare, toControlValues } from './parts/option-values.ts';
import { loadOptions, showChosen } from './parts/options.ts';
import { showNotEditable } from './parts/page-states.ts';
import { startPasting } from './parts/pasting.ts';
import { pane } from './parts/preview.ts';
import { startBar } from './parts/share-bar.ts';
import { endNow, share } from './parts/sharing.ts';
import { getLoginPath } from './parts/sign-in.ts';
import {
  copyId,
  discard,
  editId,
  isStored,
  keepDraft,
  load,
  noteChange,
  noteStored,
  offerDraft,
  resumeEdit,
  showAll,
} from './parts/state.ts';
import { startToolbar } from './parts/toolbar.ts';

const startNew = (): void => {
  const draft = readDraft(undefined);
  if (draft) load(draft);
  isStored.value = draft !== undefined;
  showAll();
  startTyping(editor);
  if (!draft?.isAway) return;
  tell(draft.fields['passwordMode'] === 'own' ? texts.passwordAgain : texts.isBack);
  keepDraft();
};

/** Loads an own share into the form by `fill`, or says why it can't be. */
const loadShare = async (
  id: string,
  ended: string,
  fill: (share: StoredShare) => void,
): Promise<void> => {
  if (!signedIn) return location.replace(getLoginPath());
  try {
    const found = await api.call('GET /api/share', { query: { mine: 'true', id } });
    if (!('content' in found) || !('version' in found)) throw new TypeError('Not a share');
    if (found.status === 'ended' || found.status === 'taken-down') return showNotEditable(ended);
    form.hidden = false;
    editor.load(found.content);
    noteExactText(found.content);
    setLanguage(found.language);
    fill(found);
    startTyping(editor);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) location.replace(getLoginPath());
    else showNotEditable(error.status === 410 ? ended : error.message);
  }
};

const startEdit = (id: string): Promise<void> =>
  loadShare(id, texts.ended, (share) => {
    loadOptions(share);
    noteStored(share.version);
    const isBack = resumeEdit();
    showAll();
    tell(isBack ? texts.textIsBack : texts.editing);
  });

const startCopy = async (id: string): Promise<void> => {
  const { getCopiedFields, texts: copyTexts } = await import('./parts/copy.ts');
  await loadShare(id, copyTexts.ended, (share) => {
    fillFields(getCopiedFields(share, toControlValues(share)));
    noteStored(undefined);
    offerDraft(copyTexts.otherDraft);
    showAll();
    tell(share.protected ? copyTexts.begunProtected : copyTexts.begun);
  });
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
  void share();
});
byId('discard').addEventListener('click', () => {
  byId('composer-menu').hidePopover();
  discard();
});
byId('end-now').addEventListener('click', () => {
  byId('options').hidePopover();
  void endNow();
});

describeKeys([[texts.share, [commandKey, '↵']]]);
startToolbar();
startNotices();
startBar();
startFiles();
startPasting();
// Loaded after the page, which works without it.
import('./parts/scrolling.ts').then(
  ({ startScrolling }) => startScrolling({ editor, scroller, pane, preview }),
  () => {},
);
if (editId !== undefined) void startEdit(editId);
else if (copyId !== undefined) void startCopy(copyId);
else startNew();
