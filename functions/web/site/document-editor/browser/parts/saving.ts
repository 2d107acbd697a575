import { signal } from '@preact/signals';
import { type ApiError, ConflictError } from '../../../../browser/client/api-error.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { describeKeys } from '../../../../browser/shell/page-keys.ts';
import { commandKey } from '../../../../browser/shell/platform.ts';
import { orReload } from '../../../../browser/shell/reload.ts';
import { guardWork, sentChanges } from '../../../../browser/shell/unsaved.ts';
import { documentPageTexts as texts } from '../../texts.ts';
import { deleteDraft, keepDraft, readDraft } from './draft.ts';
import { type Document, getId, showStored, source } from './state.ts';

/** What the user can change here. */
export interface Values {
  readonly title: string;
  readonly content: string;
}

/** How far the changes are. */
export type SaveState = keyof typeof texts.states;

export const saveState = signal<SaveState>('saved');

/** Why the last save failed. */
export const saveFailure = signal<string | undefined>(undefined);

/** Both versions of what two people have changed. */
export interface Conflict {
  readonly mine: Values;
  readonly theirs: Document;
  /** What both began with, and its version. */
  readonly base: Values | undefined;
  readonly version: number;
}

/** Both versions, while the user decides. */
export const conflict = signal<Conflict | undefined>(undefined);

/** After the last change. ms. */
const saveDelayMs = 1_500;
const keepDelayMs = 300;
const retryDelayMs = 10_000;

let read: (() => Values) | undefined;
let show: ((values: Values, caret?: number) => unknown) | undefined;
/** What is stored, which the changes are compared with. */
let base: Values = { title: '', content: '' };
let saveTimer: ReturnType<typeof setTimeout> | undefined;
let keepTimer: ReturnType<typeof setTimeout> | undefined;
let sending: Promise<void> | undefined;
let hasToldOfLength = false;

const toValues = ({ title, content }: Document): Values => ({ title, content: content ?? '' });

const findChange = (values: Values, before: Values): Partial<Values> => ({
  ...(values.title.trim() !== before.title && { title: values.title.trim() }),
  ...(values.content !== before.content && { content: values.content }),
});

const isEmpty = (change: object): boolean => Object.keys(change).length === 0;

/** Keeps the change in this browser, until it is saved. Returns whether it could. */
const keep = (): boolean => {
  clearTimeout(keepTimer);
  const { value: stored } = source.data;
  const values = read?.();
  if (!values || !stored || saveState.value === 'saved') return true;
  // While the user decides, the change is still one of the former version.
  const { version, base: before } = conflict.value ?? { version: stored.version, base };
  const isKept = keepDraft(getId(), { ...values, version, base: before });
  if (isKept || hasToldOfLength) return isKept;
  hasToldOfLength = true;
  toast({ text: texts.tooLongToKeep, kind: 'bad' });
  return false;
};

const setSaved = (values: Values): void => {
  base = values;
  saveFailure.value = undefined;
  const current = read?.();
  if (current && !isEmpty(findChange(current, base))) {
    noteChange();
    return;
  }
  saveState.value = 'saved';
  deleteDraft(getId());
};

/** Someone else has changed it, too: if not the same, both changes stay. */
const settle = async (error: ConflictError, mine: Values, version: number): Promise<void> => {
  const theirs = (await error.readCurrent<Document>())?.data;
  if (!theirs) throw error;
  const before = base;
  showStored(theirs);
  base = toValues(theirs);
  const [own, other] = [findChange(mine, before), findChange(base, before)];
  const isSame = Object.keys(own).some((name) => name in other);
  if (isSame && !isEmpty(findChange(mine, base))) {
    conflict.value = { mine, theirs, base: before, version };
    saveState.value = 'conflict';
    keep();
    return;
  }
  show?.({ ...base, ...own });
  setSaved(base);
};

/** Whether a change couldn't be sent for want of a connection. */
let wasOffline = false;

const fail = (error: ApiError): void => {
  const isOffline = error.status === 0;
  wasOffline ||= isOffline;
  saveState.value = isOffline ? 'offline' : 'failed';
  const isRefused = error.status === 403 || error.status === 404;
  saveFailure.value = isOffline ? undefined : isRefused ? texts.mayNotAnyMore : error.message;
  const isTemporary = isOffline || error.status === 429 || error.status >= 500;
  if (isTemporary) saveTimer = setTimeout(save, error.retryAfterMs ?? retryDelayMs);
};

const send = async (values: Values, stored: Document, body: Partial<Values>): Promise<void> => {
  saveState.value = 'saving';
  try {
    const options = { params: { id: stored.id }, body, ifMatch: stored.version };
    const saved = stored.id
      ? await api.call('PUT /api/documents/{id}', options)
      : await (await orReload(import('./new-document.ts'))).create(values, stored);
    if (!stored.id) deleteDraft(0);
    showStored(saved);
    sending = undefined;
    if (wasOffline) sentChanges.value += 1;
    wasOffline = false;
    setSaved(toValues(saved));
  } catch (error) {
    sending = undefined;
    try {
      if (!(error instanceof ConflictError)) throw error;
      await settle(error, values, stored.version);
    } catch (reason) {
      fail(reason as ApiError);
    }
  }
};

const saveNow = async (isForced: boolean): Promise<void> => {
  clearTimeout(saveTimer);
  const { value: stored } = source.data;
  const values = read?.();
  if (!values || !stored || sending || conflict.value) return;
  const body = findChange(values, base);
  if (isEmpty(body) && !isForced) return setSaved(base);
  if (body.title === '') {
    saveState.value = 'failed';
    saveFailure.value = texts.titleRequired;
    return;
  }
  sending = send(values, stored, body);
  await sending;
};

/** Saves the changes now. */
export const save = (): Promise<void> => saveNow(false);

/** Stores a new document even if nothing is written yet. Returns whether it is stored. */
export const store = async (): Promise<boolean> => {
  await sending;
  if (!getId()) await saveNow(true);
  return getId() !== 0;
};

/** Saves all changes. Returns whether everything is saved. */
export const saveAll = async (): Promise<boolean> => {
  if (await store()) await save();
  return saveState.peek() === 'saved';
};

/** Shows another version that is stored, while nothing is unsaved. */
export const showRestored = (restored: Document): void => {
  const values = toValues(restored);
  showStored(restored);
  show?.(values);
  setSaved(values);
};

/** Notes that the user has changed something: it is kept here at once, and saved a moment later. */
export const noteChange = (): void => {
  if (conflict.value) return;
  if (saveState.value !== 'saving') saveState.value = 'waiting';
  clearTimeout(keepTimer);
  keepTimer = setTimeout(keep, keepDelayMs);
  clearTimeout(saveTimer);
  // A new document is stored at once, so that what is written has a place.
  saveTimer = setTimeout(save, getId() ? saveDelayMs : 0);
};

/** Saves the user’s version over the other. */
export const keepMine = async (): Promise<void> => {
  conflict.value = undefined;
  saveState.value = 'waiting';
  await save();
  if (saveState.peek() === 'saved') toast({ text: texts.keptMine });
};

/** Shows values in the editor, as the user’s change of what is stored. */
const edit = (values: Values, caret?: number): void => {
  conflict.value = undefined;
  show?.(values, caret);
  saveState.value = 'waiting';
  noteChange();
};

/** Shows the other version; the user’s can come back. */
export const keepTheirs = (): void => {
  const mine = conflict.value?.mine;
  conflict.value = undefined;
  show?.(base, 0);
  setSaved(base);
  const undo = mine && { label: texts.undo, run: () => edit(mine) };
  toast({ text: texts.keptTheirs, ...(undo && { action: undo }) });
};

/** Saves what has the changes of both. Where both changed the same, the user goes on at `caret`, in UTF-16 units. */
export const keepBoth = async (merged: Values, caret: number | undefined): Promise<void> => {
  edit(merged, caret ?? 0);
  if (caret !== undefined) return void toast({ text: texts.keptOverlap });
  await save();
  if (saveState.peek() === 'saved') toast({ text: texts.keptBoth });
};

/** Brings back what was not saved when the page was left. */
const recover = (stored: Document): Values => {
  const draft = readDraft(getId());
  const values = toValues(stored);
  if (!draft || isEmpty(findChange(draft, values))) {
    deleteDraft(getId());
    return values;
  }
  const { title, content, version } = draft;
  if (version !== stored.version) {
    conflict.value = { mine: { title, content }, theirs: stored, base: draft.base, version };
    saveState.value = 'conflict';
  } else {
    toast({ text: texts.recovered });
    setTimeout(noteChange);
  }
  return { title, content };
};

/** Starts to save the document by itself. Returns what to edit. */
export const startSaving = (
  stored: Document,
  editing: {
    readonly read: () => Values;
    readonly show: (values: Values, caret?: number) => unknown;
  },
): Values => {
  base = toValues(stored);
  read = editing.read;
  show = editing.show;
  addEventListener('online', () => saveState.value === 'offline' && save());
  addEventListener('pagehide', keep);
  describeKeys([[texts.save, [commandKey, 'S']]]);
  guardWork({
    getName: () => texts.thisDocument,
    isChanged: () => saveState.value !== 'saved',
    isLost: () => !keep(),
    discard: () => {
      saveState.value = 'saved';
    },
  });
  addEventListener('keydown', (event) => {
    if (event.key !== 's' || !(event.metaKey || event.ctrlKey) || event.altKey) return;
    event.preventDefault();
    void save();
  });
  return recover(stored);
};
