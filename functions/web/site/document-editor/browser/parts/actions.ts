import { signal } from '@preact/signals';
import type { MenuItem } from '../../../../browser/components/menu.tsx';
import {
  changeDocument,
  type DocumentChange,
  mayDelete,
  mayEdit,
  mayManage,
} from '../../../../browser/document-dialogs/document.ts';
import type { KnownNames } from '../../../../browser/document-dialogs/fields-dialog.tsx';
import { documentTexts } from '../../../../browser/document-dialogs/texts.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { documentPageTexts as texts } from '../../texts.ts';
import { readText } from './editing.tsx';
import { save, saveAll, store } from './saving.ts';
import { type Document, getId, isDeleted, load, showStored, source } from './state.ts';
import { url } from './url.ts';

const loadDialogs = () => import('../../../../browser/document-dialogs/edit-dialogs.tsx');

const names = signal<KnownNames>({ folders: [], tags: [] });

/** What is written now: of a document that can only be read, what is stored. */
const textOf = (document: Document): string =>
  mayEdit(document) ? readText() : (document.content ?? '');

/** Returns whether the document was changed. */
const change = async (document: Document, next: DocumentChange): Promise<boolean> => {
  try {
    if (!(await store())) return false;
    showStored(await changeDocument(source.data.value ?? document, next));
    return true;
  } catch (error) {
    showFailure(texts.notChanged((error as Error).message), () => change(document, next));
    return false;
  }
};

/** Moves the document to the trash, from where it can be restored. */
const remove = async (document: Document): Promise<void> => {
  await save();
  if (!getId()) return location.assign('/documents');
  try {
    await api.call('DELETE /api/documents/{id}', { params: { id: getId() } });
    isDeleted.value = true;
  } catch (error) {
    showFailure(texts.notDeleted((error as Error).message), () => remove(document));
  }
};

/** Takes the document out of the trash again. */
export const restore = async (): Promise<void> => {
  try {
    await api.call('POST /api/documents/{id}/restore', { params: { id: getId() } });
    await load();
    isDeleted.value = false;
  } catch (error) {
    showFailure(texts.notRestored((error as Error).message), restore);
  }
};

const publish = async (document: Document): Promise<void> =>
  (await import('./share-page.tsx')).sharePage(document, textOf(document));

/** Lets the user share the document with people. */
export const share = async (document: Document): Promise<void> => {
  const { shareDocument } = await import('../../../../browser/document-dialogs/share-document.ts');
  if (!(await store())) return;
  shareDocument(source.data.value ?? document, showStored, () => publish(document));
};

/** Shows the revisions, once what is written is saved: they are compared with that. */
const showRevisions = async (): Promise<void> => {
  if (await saveAll()) return url.change({ revisions: 'list' }, 'push');
  showFailure(texts.states.waiting, showRevisions);
};

/** Lets the user choose the folder. */
export const chooseFolder = async (document: Document): Promise<void> =>
  (await loadDialogs()).askFolder([document], names, (folder) => change(document, { folder }));

/** Lets the user change the tags. */
export const chooseTags = async (document: Document): Promise<void> => {
  const { askTags } = await loadDialogs();
  if (await store()) askTags(source.data.value ?? document, names, showStored);
};

const changeVisibility = (document: Document): MenuItem => {
  const isPublic = document.visibility === 'everyone';
  return {
    label: isPublic ? texts.makePrivate : texts.showToEveryone,
    icon: isPublic ? 'lock' : 'globe',
    run: () => change(document, { visibility: isPublic ? 'private' : 'everyone' }),
  };
};

/** Shows the document as another type, whose editor is another. */
const changeType = async (document: Document, type: string): Promise<void> => {
  await save();
  if (await change(document, { type })) location.reload();
};

const changesOfType = (document: Document): readonly MenuItem[] =>
  Object.entries(documentTexts.types)
    .filter(([type]) => type !== document.type)
    .map(([type, label], at) => ({
      label: texts.changeType(label),
      icon: 'doc',
      startsGroup: at === 0,
      run: () => changeType(document, type),
    }));

/** Returns what can be done with the document. */
export const listActions = (document: Document): readonly MenuItem[] => [
  ...(mayManage(document) ? [changeVisibility(document), ...changesOfType(document)] : []),
  ...(mayEdit(document)
    ? ([{ label: texts.revisions, icon: 'log', startsGroup: true, run: showRevisions }] as const)
    : []),
  {
    label: document.type === 'markdown' ? texts.exportMarkdown : texts.exportText,
    icon: 'load',
    startsGroup: true,
    run: async () => (await import('./export.ts')).exportText(document, textOf(document)),
  },
  ...(document.type === 'markdown'
    ? ([
        {
          label: texts.exportHtml,
          icon: 'load',
          run: async () => (await import('./export.ts')).exportHtml(document, textOf(document)),
        },
      ] as const)
    : []),
  {
    label: texts.sharePage,
    icon: 'share',
    run: () => publish(document),
  },
  ...(mayDelete(document)
    ? ([
        {
          label: texts.delete,
          icon: 'trash',
          isBad: true,
          startsGroup: true,
          run: () => remove(document),
        },
      ] as const)
    : []),
];
