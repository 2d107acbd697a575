import { ApiError, unreachable } from '../../../../../browser/client/api-error.ts';
import { startTyping } from '../../../../../browser/editor/editor.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { orReload } from '../../../../../browser/shell/reload.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { storedTexts as texts } from '../../../stored-texts.ts';
import { editor, noteExactText, setLanguage } from '../content.ts';
import { byId, controls, form, setValue } from '../elements.ts';
import { fillFields } from '../fields.ts';
import { resumeFiles, withFiles } from '../files.ts';
import { tell } from '../notice.ts';
import { getLatestEnd, noteStoredExpiry, showChosen } from '../options.ts';
import { showNotEditable } from '../page-states.ts';
import { fixSeal } from '../sealing/fixed.ts';
import { noteSealed } from '../sealing/sealed.ts';
import type { OpenedShare } from '../sealing/sealer.ts';
import { getLoginPath } from '../sign-in.ts';
import { copyId, editId, noteStored, offerDraft, resumeEdit, showAll } from '../state.ts';
import { formatTime } from '../times.ts';
import { texts as copyTexts, getCopiedFields } from './copy.ts';
import { fillOptions, type StoredShare, toControlValues } from './values.ts';

const { passwordMode, expires } = controls;

/** Whether the author comes to change who can open it. */
const isAboutWho = new URLSearchParams(location.search).get('options') === 'who';

/** Shows the options of a stored share. */
const loadOptions = (share: StoredShare): void => {
  fillOptions(share);
  byId('keep-password').hidden = !share.protected;
  if (share.protected) passwordMode.value = 'keep';
  if (share.expiresAt === null) return;
  noteStoredExpiry(share.expiresAt);
  expires.add(new Option(texts.keepExpiry(formatTime(share.expiresAt)), 'keep'), 0);
  expires.value = 'keep';
  // Its age counts from its creation.
  const latest = getLatestEnd(Date.parse(share.createdAt));
  if (latest === undefined) return;
  for (const option of expires.options) {
    const isLater = Date.now() + Number(option.value) * 1_000 > latest;
    if (option.value === 'never' || isLater) option.disabled = true;
  }
};

const isCopy = copyId !== undefined;

/** Opens a sealed share with its key, which is asked for unless this tab has it. A copy gets a key of its own. */
const openSealed = async (share: StoredShare) => {
  const loading = Promise.all([import('../sealing/unseal.tsx'), import('../sealing/body.ts')]);
  const [{ unseal }, { noteStoredSealer }] = await orReload(loading).catch((cause) => {
    throw unreachable(cause);
  });
  // Before there are files, which a plain share uploads at once.
  setValue(controls.sealed, '1');
  noteSealed();
  const opened = await unseal(share);
  if (!isCopy) noteStoredSealer(opened.sealer);
  return opened;
};

/** Shows the files of a stored share, if it has others than its page. */
const showFiles = async (share: StoredShare, opened: OpenedShare | undefined): Promise<void> => {
  if (!opened) {
    if (share.files) await withFiles((part) => part.openStored(share, isCopy));
  } else if (opened.content.files.length > 0) {
    await withFiles((part) => part.openSealed(share, opened, isCopy));
  }
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
    const opened = found.sealed ? await openSealed(found) : undefined;
    const { text, language } = opened?.content ?? { text: found.content, language: found.language };
    form.hidden = false;
    editor.load(text);
    noteExactText(text);
    setLanguage(language);
    await showFiles(found, opened);
    fill(found);
    startTyping(editor);
    if (opened?.isAsked) editor.focus();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) location.replace(getLoginPath());
    else showNotEditable(error.status === 410 ? ended : error.message);
  }
};

const startEdit = (id: string): Promise<void> =>
  loadShare(id, texts.ended, (share) => {
    loadOptions(share);
    setValue(controls.hasPassphrase, share.passphrase ? '1' : '');
    fixSeal(share.sealed === true);
    showChosen();
    noteStored(share.version);
    const isBack = resumeEdit();
    if (isBack) resumeFiles();
    showAll();
    tell(isBack ? texts.textIsBack : texts.editing);
    if (isAboutWho) byId('chip-who').click();
  });

const describeCopy = ({ sealed, passphrase, protected: isProtected }: StoredShare): string => {
  if (sealed) return passphrase ? copyTexts.begunJoined : copyTexts.begunSealed;
  return isProtected ? copyTexts.begunProtected : copyTexts.begun;
};

const startCopy = (id: string): Promise<void> =>
  loadShare(id, copyTexts.ended, (share) => {
    fillFields(getCopiedFields(share, toControlValues(share)));
    showChosen();
    noteStored(undefined);
    offerDraft(copyTexts.otherDraft);
    showAll();
    tell(describeCopy(share));
  });

/** Begins to edit the share that the address names, or a new one as its copy. */
export const startStored = async (): Promise<void> => {
  if (editId !== undefined) await startEdit(editId);
  else if (copyId !== undefined) await startCopy(copyId);
};
