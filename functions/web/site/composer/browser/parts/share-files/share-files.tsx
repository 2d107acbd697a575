import { effect } from '@preact/signals';
import { render } from 'preact';
import { getPageKind } from '../../../../../../../shared/share-files/types.ts';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import { byId, controls, form, shareButton } from '../elements.ts';
import { tell } from '../notice.ts';
import { files, filesLine } from '../open-files.ts';
import { isSealed } from '../sealing/sealed.ts';
import type { OpenedShare } from '../sealing/sealer.ts';
import { editId, keepDraft } from '../state.ts';
import { isTreeShown } from './actions.ts';
import { countMissing, startChecking } from './checking.ts';
import { chooseFolder } from './choosing.ts';
import { isMainOpen, startEditing } from './editing.ts';
import { findOtherUpload, forgetKeptFiles, keepFiles, readKeptFiles } from './keeping.ts';
import { uploadContent } from './large-page.ts';
import { showPage, startPreviewing } from './previewing.ts';
import { sealFiles } from './sealing-files.ts';
import { cancelUpload, countUnsent, startSending, toBody, uploads } from './sending.ts';
import {
  allFiles,
  beginWith,
  fileSet,
  getRevision,
  isSingle,
  isUnchanged,
  main,
  others,
  restoreNamed,
} from './set.ts';
import css from './share-files.css?text';
import {
  beginWithCopy,
  beginWithSealed,
  beginWithSealedCopy,
  beginWithStored,
  readAbsent,
  type ShareWithFiles,
} from './stored-files.ts';
import { take } from './taking.ts';
import { addDropTarget } from './view/drop-target.ts';
import { Panel } from './view/panel.tsx';
import { OpenedFile, TreeToggle } from './view/toolbar.tsx';

// Loaded with the first file only.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

const makePlace = (name: string, className: string): HTMLElement => {
  const element = document.createElement(name);
  element.className = className;
  return element;
};

const tools = byId('tools');
const panel = makePlace('section', 'tree');
panel.ariaLabel = texts.files;
const openedPlace = makePlace('span', 'part');
const togglePlace = makePlace('span', 'part');

const showParts = (): void => {
  const isOpen = fileSet.value !== undefined;
  form.classList.toggle('with-files', isOpen);
  form.classList.toggle('tree-hidden', !isTreeShown.value);
  form.classList.toggle('single-file', isSingle.value);
  if (isOpen === panel.isConnected) return;
  if (isOpen) {
    form.querySelector('.panes')?.prepend(panel);
    tools.prepend(openedPlace);
    byId('split').before(togglePlace);
    render(<Panel />, panel);
    render(<OpenedFile />, openedPlace);
    render(<TreeToggle />, togglePlace);
  } else {
    for (const place of [panel, openedPlace, togglePlace]) {
      render(null, place);
      place.remove();
    }
  }
  // The toolbar is one stop of Tab, which may have been at a button that is hidden now.
  const buttons = [...tools.querySelectorAll('button')].filter((one) => one.checkVisibility());
  const [first] = buttons;
  if (first && !buttons.some(({ tabIndex }) => tabIndex === 0)) first.tabIndex = 0;
};

/** Says in the bar how many files there are, or what sharing waits for. */
const showLine = (): void => {
  const unsent = countUnsent();
  // Those of a sealed share are sent once it is shared.
  const isWaiting = fileSet.value !== undefined && unsent > 0 && !isSealed.value;
  shareButton.ariaDisabled = isWaiting ? 'true' : null;
  const summary = isWaiting
    ? texts.waitForUploads(unsent)
    : texts.summary(allFiles.value.length, countMissing());
  filesLine.value = fileSet.value ? summary : undefined;
};

let isKept = true;
let isOver = false;
/** What is to be stored, and what is being stored. */
let [wanted, stored] = [0, 0];

/** Deletes the upload of the draft of another share, whose place this one takes. */
const leaveOther = async (): Promise<void> => {
  const upload = await findOtherUpload(editId);
  if (upload !== undefined) await cancelUpload(upload).catch(() => undefined);
};

/** Keeps the files of the draft, which fields of the browser’s storage are too small for. */
const keep = async (): Promise<void> => {
  const mine = wanted;
  const set = fileSet.value;
  if (!set || isUnchanged()) await forgetKeptFiles(editId);
  else {
    const wasKept = isKept;
    await leaveOther();
    isKept = await keepFiles({ id: editId, set, upload: uploads.getUpload() });
    if (wasKept && !isKept) tell(texts.notKept);
  }
  stored = Math.max(stored, mine);
  if (stored === wanted && !isOver) keepDraft();
};

/** The pause after which is kept what was uploaded. ms. */
const pauseMs = 250;
let timer: ReturnType<typeof setTimeout> | undefined;

const startKeeping = (): void => {
  // Before there are files, a draft may have some that weren’t read yet.
  let hasBegun = false;
  effect(() => {
    if (fileSet.value) hasBegun = true;
    if (isOver || !hasBegun) return;
    wanted += 1;
    void keep();
  });
  effect(() => {
    uploads.states.value;
    clearTimeout(timer);
    if (!isOver && hasBegun) timer = setTimeout(keep, pauseMs);
  });
};

/** Brings the files of a draft back, with what was uploaded of them. */
export const resumeFiles = async (): Promise<void> => {
  const kept = await readKeptFiles(editId);
  if (!kept) {
    beginWith(undefined, '', false);
    tell(texts.draftLost);
    return;
  }
  if (kept.upload) uploads.resume(kept.upload, kept.upload.sent);
  beginWith(kept.set, controls.files.value, false);
  await readAbsent();
};

files.opened = {
  show: showPage,
  restore: restoreNamed,
  isUnkept: () => fileSet.value !== undefined && (stored < wanted || !isKept),
  canBeAlone: () => isSingle.value || (isSealed.value && others.value.length > 0),
  toBody,
  seal: sealFiles,
  getRevision,
  isUnchanged,
  end: () => {
    isOver = true;
    clearTimeout(timer);
    void forgetKeptFiles(editId);
  },
};

startEditing();
startChecking();
startPreviewing();
startSending();
startKeeping();
effect(showParts);
effect(showLine);
effect(() => {
  form.dataset['file'] = isMainOpen() ? (getPageKind(main.value) ?? '') : 'other';
});
form.addEventListener('submit', () => {
  if (shareButton.ariaDisabled === 'true') tell(filesLine.value ?? '');
});

/** Uploads a content that no request takes. */
export const uploadPage = uploadContent;

/** Takes files, folders and archives. */
export const takeFiles = take;

/** Opens the browser’s choice of a folder. */
export const takeFolder = chooseFolder;

/** Shows where files can be dropped, while they are dragged. */
export const showDropTarget = addDropTarget;

/** Shows the files of a sealed share, which is edited or copied. */
export const openSealed = async (
  share: ShareWithFiles,
  opened: OpenedShare,
  isCopy: boolean,
): Promise<void> => {
  if (isCopy) await beginWithSealedCopy(share, opened);
  else beginWithSealed(share, opened);
};

/** Shows the files of a stored share, which is edited or copied. */
export const openStored = async (share: ShareWithFiles, isCopy: boolean): Promise<void> => {
  if (isCopy) await beginWithCopy(share);
  else beginWithStored(share);
};
