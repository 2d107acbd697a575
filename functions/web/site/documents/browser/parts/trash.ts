import { toast } from '../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { findFocusedRow, focusRow } from '../../../../browser/data/rows.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { documentsTexts as texts } from '../../texts.ts';
import { type Document, list, selection } from './state.ts';

interface Action {
  readonly send: (document: Document) => Promise<unknown>;
  readonly done: (title: string) => string;
  readonly doneSome: (count: string) => string;
  readonly failed: (titles: string, reason: string) => string;
  readonly again: (documents: readonly Document[]) => unknown;
}

/** Takes documents out of the trash, by one request each. Says by title which failed. */
const takeOut = async (documents: readonly Document[], action: Action): Promise<void> => {
  const row = Math.max(findFocusedRow(), 0);
  const { done, failed } = await runForEach(documents, action.send);
  selection.value = new Set(failed.map(({ item }) => item.id));
  const [first] = done;
  if (first) {
    list.items.value = list.items.value?.filter((one) => !done.includes(one));
    const text =
      done.length === 1 ? action.done(first.title) : action.doneSome(formatNumber(done.length));
    toast({ text });
    focusRow(row);
  }
  await list.load();
  if (!failed[0]) return;
  const titles = formatList(failed.map(({ item }) => `“${item.title}”`));
  const again = () => action.again(failed.map(({ item }) => item));
  showFailure(action.failed(titles, failed[0].error.message), again);
};

/** Restores documents from the trash. */
export const restore = (documents: readonly Document[]): Promise<void> =>
  takeOut(documents, {
    send: ({ id }) => api.call('POST /api/documents/{id}/restore', { params: { id } }),
    done: texts.restored,
    doneSome: texts.restoredSome,
    failed: texts.notRestored,
    again: restore,
  });

const purge = (documents: readonly Document[]): Promise<void> =>
  takeOut(documents, {
    send: ({ id }) => api.call('DELETE /api/documents/trash/{id}', { params: { id } }),
    done: texts.purged,
    doneSome: texts.purgedSome,
    failed: texts.notPurged,
    again: purge,
  });

/** Asks before documents are deleted for good. */
export const askToPurge = async (documents: readonly Document[]): Promise<void> => {
  const { agreesToPurge } = await import('./purge-question.ts');
  if (documents.length > 0 && (await agreesToPurge(documents))) await purge(documents);
};
