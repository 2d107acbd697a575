import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ApiError } from '../client/api-error.ts';
import { componentTexts as texts } from '../components/texts.ts';
import { findFocusedRow, focusRow } from '../data/rows.ts';
import { runForEach } from './bulk.ts';
import { formatList, formatNumber } from './format.ts';
import { doUndoably } from './undoable.ts';

interface DeletionOptions<Item, Id> {
  readonly items: Signal<readonly Item[] | undefined>;
  readonly getId: (item: Item) => Id;
  readonly getName: (item: Item) => string;
  /** Deletes one item by request. */
  readonly send: (item: Item, options: { readonly keepalive: boolean }) => Promise<unknown>;
  /** Called when some are deleted for good. */
  readonly onDeleted?: () => unknown;
}

/** Deletes items of a list, which can be undone for some seconds. */
export interface Deletions<Item, Id> {
  /** The items that are being deleted, which the list leaves out. */
  readonly hidden: ReadonlySignal<ReadonlySet<Id>>;
  remove(items: readonly Item[]): void;
  /** Shows items again that were restored. */
  show(items: readonly Item[]): void;
}

const quote = (name: string): string => `“${name}”`;

/** Creates the deletions of a list. Of several items, those that can’t be deleted come back. */
export const createDeletions = <Item, Id>(
  options: DeletionOptions<Item, Id>,
): Deletions<Item, Id> => {
  const { items: list, getId, getName, send, onDeleted } = options;
  const hidden = signal<ReadonlySet<Id>>(new Set());

  const hide = (items: readonly Item[]) => {
    hidden.value = new Set([...hidden.value, ...items.map(getId)]);
  };
  const show = (items: readonly Item[]) => {
    const back = new Set(items.map(getId));
    hidden.value = new Set([...hidden.value].filter((id) => !back.has(id)));
  };
  /** One that is already deleted is fine. */
  const sendOne = (item: Item, keepalive: boolean) =>
    send(item, { keepalive }).catch((error: ApiError) => {
      if (error.status !== 404) throw error;
    });

  const remove = (items: readonly Item[]) => {
    const [first] = items;
    if (first === undefined) return;
    let rest = items;
    focusRow(Math.max(findFocusedRow(), 0));
    hide(items);
    doUndoably({
      text:
        items.length === 1
          ? texts.deleted(quote(getName(first)))
          : texts.deletedSome(formatNumber(items.length)),
      commit: async ({ keepalive }) => {
        hide(rest);
        const { done, failed } = await runForEach(rest, (item) => sendOne(item, keepalive));
        rest = failed.map(({ item }) => item);
        const gone = new Set(done.map(getId));
        list.value = list.value?.filter((item) => !gone.has(getId(item)));
        if (done.length > 0) onDeleted?.();
        if (failed[0]) throw failed[0].error;
      },
      putBack: () => show(rest),
      describeFailure: ({ message }) =>
        texts.notDeleted(formatList(rest.map((item) => quote(getName(item)))), message),
    });
  };

  return { hidden, remove, show };
};
