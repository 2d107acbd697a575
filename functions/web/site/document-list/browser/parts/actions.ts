import type { MenuItem } from '../../../../browser/components/menu.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import {
  changeDocument,
  type DocumentChange,
  mayDelete,
  mayEdit,
  mayManage,
} from '../../../../browser/document-dialogs/document.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { documentsTexts as texts } from '../../texts.ts';
import { isFiltered } from '../../view.ts';
import { type Document, list, remove, selection, showDocument, view } from './state.ts';

const loadTrash = () => import('./trash.ts');

/** Restores documents from the trash. */
export const restore = async (documents: readonly Document[]): Promise<void> =>
  (await loadTrash()).restore(documents);

/** Asks before documents in the trash are deleted for good. */
export const askToPurge = async (documents: readonly Document[]): Promise<void> =>
  (await loadTrash()).askToPurge(documents);

const loadDialogs = () => import('../../../../browser/document-dialogs/edit-dialogs.tsx');
const loadNames = () => import('./names.ts');

/** Returns the address of a document. */
export const toPage = ({ id }: Pick<Document, 'id'>): string => `/documents/${id}`;

/** Opens a document. */
export const open = (document: Document): void => location.assign(toPage(document));

/** Shows what a document is now, which may no longer match the filters. */
const showChanged = (document: Document): void => {
  showDocument(document);
  if (isFiltered(view.value)) void list.load();
};

/** Lets the user rename a document. */
export const rename = async (document: Document): Promise<void> =>
  (await loadDialogs()).askTitle(document, (changed) => {
    showChanged(changed);
    toast({ text: texts.renamed(changed.title) });
  });

const changeTags = async (document: Document): Promise<void> => {
  const [{ askTags }, { known, loadKnown }] = await Promise.all([loadDialogs(), loadNames()]);
  void loadKnown();
  askTags(document, known, (changed) => {
    showChanged(changed);
    toast({ text: texts.tagged(changed.title) });
  });
};

const share = async (document: Document): Promise<void> =>
  (await import('../../../../browser/document-dialogs/share-document.ts')).shareDocument(
    document,
    showDocument,
  );

/** Changes a document at once; puts it back if the service refuses. Returns the document as it is then. */
const change = async (before: Document, next: DocumentChange): Promise<Document | undefined> => {
  showDocument({ ...before, ...next });
  try {
    const changed = await changeDocument(before, next);
    showDocument(changed);
    return changed;
  } catch (error) {
    showDocument(before);
    void list.load();
    showFailure(texts.notChanged(before.title, (error as Error).message), () =>
      setVisibility(findCurrent(before), next.visibility ?? before.visibility),
    );
    return undefined;
  }
};

const findCurrent = (document: Document): Document =>
  list.items.value?.find(({ id }) => id === document.id) ?? document;

const setVisibility = async (
  document: Document,
  visibility: Document['visibility'],
): Promise<void> => {
  const changed = await change(document, { visibility });
  if (!changed) return;
  const { title } = changed;
  toast({
    text: visibility === 'everyone' ? texts.shownToEveryone(title) : texts.madePrivate(title),
    action: {
      label: texts.undo,
      run: () => change(findCurrent(changed), { visibility: document.visibility }),
    },
  });
};

/** Moves each document to its folder: one request each. Says what failed, and returns what was moved. */
const moveEach = async (
  documents: readonly Document[],
  to: (document: Document) => string | null,
  again: (documents: readonly Document[]) => unknown,
): Promise<readonly Document[]> => {
  const { done, failed } = await runForEach(documents, async (document) =>
    showDocument(await changeDocument(findCurrent(document), { folder: to(document) })),
  );
  if (isFiltered(view.value) || failed[0]) await list.load();
  if (failed[0]) {
    const rest = failed.map(({ item }) => item);
    const titles = formatList(rest.map(({ title }) => `“${title}”`));
    showFailure(texts.notMoved(titles, failed[0].error.message), () => again(rest));
  }
  return done;
};

const moveBack = (documents: readonly Document[]): unknown =>
  moveEach(documents, ({ folder }) => folder, moveBack);

const move = async (documents: readonly Document[], folder: string | null): Promise<void> => {
  const others = documents.filter((document) => document.folder !== folder);
  selection.value = new Set();
  const done = await moveEach(
    others,
    () => folder,
    (rest) => move(rest, folder),
  );
  if (!done[0]) return;
  const place = folder ?? texts.noFolder;
  const text =
    done.length === 1
      ? texts.moved(done[0].title, place)
      : texts.movedSome(formatNumber(done.length), place);
  toast({ text, action: { label: texts.undo, run: () => moveBack(done) } });
};

/** Lets the user choose the folder of documents. */
export const chooseFolder = async (documents: readonly Document[]): Promise<void> => {
  const movable = documents.filter(mayManage);
  const [{ askFolder }, { known, loadKnown }] = await Promise.all([loadDialogs(), loadNames()]);
  void loadKnown();
  askFolder(movable, known, (folder) => move(movable, folder));
};

const listOwnActions = (document: Document): readonly (MenuItem | false)[] => {
  const isPublic = document.visibility === 'everyone';
  const isManaged = mayManage(document);
  return [
    { label: texts.open, icon: 'doc', href: toPage(document) },
    mayEdit(document) && { label: texts.rename, icon: 'pen', run: () => rename(document) },
    isManaged && { label: texts.move, icon: 'folder', run: () => chooseFolder([document]) },
    isManaged && { label: texts.tags, icon: 'list', run: () => changeTags(document) },
    isManaged && {
      label: texts.share,
      icon: 'users',
      startsGroup: true,
      run: () => share(document),
    },
    isManaged && {
      label: isPublic ? texts.makePrivate : texts.showToEveryone,
      icon: isPublic ? 'lock' : 'globe',
      run: () => setVisibility(document, isPublic ? 'private' : 'everyone'),
    },
    mayDelete(document) && {
      label: texts.delete,
      icon: 'trash',
      isBad: true,
      startsGroup: true,
      run: () => remove([document]),
    },
  ];
};

const listTrashActions = (document: Document): readonly (MenuItem | false)[] => {
  const isDeletable = mayDelete(document);
  return [
    isDeletable && { label: texts.restore, icon: 'undo', run: () => restore([document]) },
    isDeletable && {
      label: texts.purge,
      icon: 'trash',
      isBad: true,
      startsGroup: true,
      run: () => askToPurge([document]),
    },
  ];
};

/** Lists what the user can do with a document. */
export const listActions = (document: Document): readonly MenuItem[] => {
  const isTrashed = document.deletedAt !== undefined;
  const items = isTrashed ? listTrashActions(document) : listOwnActions(document);
  return items.filter((item) => item !== false);
};
