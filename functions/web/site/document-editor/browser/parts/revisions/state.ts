import { signal } from '@preact/signals';
import { afterRendering } from '../../../../../browser/after-rendering.ts';
import { ConflictError } from '../../../../../browser/client/api-error.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { toast } from '../../../../../browser/components/toast.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { showFailure } from '../../../../../browser/shell/feedback.ts';
import { revisionsTexts as texts } from '../../../revisions-texts.ts';
import { saveAll, showRestored } from '../saving.ts';
import { type Document, getId, source } from '../state.ts';
import { url } from '../url.ts';

export type Revision = Data<'GET /api/documents/{id}/revisions'>['items'][number];

const narrow = matchMedia('(max-width: 45rem)');
const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches;
});

/** The revisions, the newest first. */
export const list = createSource(async () => {
  const { items } = await api.call('GET /api/documents/{id}/revisions', {
    params: { id: getId() },
  });
  return items;
});

/** Returns the version whose changes are shown: on wide screens, by default the newest. */
export const getChosen = (): number | undefined => {
  const { revisions } = url.view.value;
  if (typeof revisions === 'number') return revisions;
  return isNarrow.value ? undefined : list.data.value?.[0]?.version;
};

/** What it is compared with: a revision; `undefined`: the current content. */
export const comparedWith = signal<number | undefined>(undefined);

/** The changes since the chosen revision. */
export const changes = createSource(async () => {
  const version = getChosen();
  if (version === undefined) return undefined;
  const to = comparedWith.value;
  return api.call('GET /api/documents/{id}/revisions/{version}/diff', {
    params: { id: getId(), version },
    query: to === undefined ? {} : { to },
  });
});

/** Compares the chosen revision with another, or with the current content. */
export const compareWith = (version: number | undefined): void => {
  comparedWith.value = version;
  changes.data.value = undefined;
  void changes.load();
};

/** Loads the list anew. */
export const load = (): Promise<void> => {
  list.data.value = undefined;
  return list.load();
};

const focusOn = (selector: string): void =>
  afterRendering(() => document.querySelector<HTMLElement>(`.revs ${selector}`)?.focus());

/** Shows the changes since a revision. On phones, they take the place of the list. */
export const choose = (version: number): void => {
  url.change({ revisions: version });
  if (isNarrow.value) focusOn('h3');
};

/** Shows the list again, on phones. */
export const showList = (from: number): void => {
  url.change({ revisions: 'list' });
  focusOn(`[data-version="${from}"]`);
};

/** Shows the document again. */
export const close = (): void => url.close({ revisions: undefined });

const send = async (version: number, ifMatch: number): Promise<Document> =>
  api.call('POST /api/documents/{id}/revisions/{version}/restore', {
    params: { id: getId(), version },
    ifMatch,
  });

/** Brings back what a restored revision has replaced. What was written since is saved first, and becomes a revision. */
const undo = async (version: number): Promise<void> => {
  try {
    if (!(await saveAll())) return;
    showRestored(await send(version, source.data.value?.version ?? 0));
  } catch (error) {
    showFailure(texts.notRestored((error as Error).message), () => undo(version));
  }
};

/** Shows what someone else has stored meanwhile. */
const refresh = async (): Promise<void> => {
  showRestored(await api.call('GET /api/documents/{id}', { params: { id: getId() } }));
  await list.load();
  compareWith(undefined);
  toast({ text: texts.changedMeanwhile });
};

/** Makes a revision what the document says, with Undo, and shows the document. */
export const restore = async (revision: Revision): Promise<void> => {
  const { version, editedAt } = revision;
  const before = source.data.value?.version ?? 0;
  try {
    const restored = await send(version, before);
    close();
    showRestored(restored);
    if (restored.version === before) return void toast({ text: texts.isSame });
    const action = { label: texts.undo, run: () => undo(before) };
    toast({ text: texts.restored(formatTime(editedAt)), action });
  } catch (error) {
    if (error instanceof ConflictError) return refresh();
    showFailure(texts.notRestored((error as Error).message), () => restore(revision));
  }
};
