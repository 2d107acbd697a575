import type { Signal } from '@preact/signals';
import type { RowKey } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { runForEach } from '../data/bulk.ts';
import { formatList, formatNumber } from '../data/format.ts';
import type { PagedList } from '../data/paged-list.ts';
import { findFocusedRow, focusRow } from '../data/rows.ts';
import { showFailure } from '../shell/feedback.ts';
import { trashTexts as texts } from './trash-texts.ts';

/** A kind of records with a trash, whose list shows it. */
interface TrashOptions<Item extends { readonly id: number }> {
  readonly list: PagedList<Item>;
  readonly selection: Signal<ReadonlySet<RowKey>>;
  readonly getName: (item: Item) => string;
  /** Names several of them, such as “3 documents”. */
  readonly countSome: (count: string) => string;
  readonly restore: (item: Item) => Promise<unknown>;
  readonly purge: (item: Item) => Promise<unknown>;
  /** Called with what was restored. */
  readonly onRestored: (items: readonly Item[]) => unknown;
  /** Loads what is shown again. */
  readonly reload: () => Promise<unknown>;
}

interface Action<Item> {
  readonly send: (item: Item) => Promise<unknown>;
  readonly done: (names: string) => string;
  readonly failed: (names: string, reason: string) => string;
  readonly again: (items: readonly Item[]) => unknown;
  readonly onDone?: (items: readonly Item[]) => unknown;
}

const quote = (name: string): string => `“${name}”`;

/** Creates what is done with the trash of a list. */
export const createTrash = <Item extends { readonly id: number }>(options: TrashOptions<Item>) => {
  const { list, selection, getName, countSome, reload } = options;

  /** Names one item, or counts several. */
  const describe = (items: readonly Item[]): string =>
    items.length === 1 && items[0]
      ? quote(getName(items[0]))
      : countSome(formatNumber(items.length));

  /** Takes items out of the trash, by one request each. Says by name which failed. */
  const takeOut = async (items: readonly Item[], action: Action<Item>): Promise<void> => {
    const row = Math.max(findFocusedRow(), 0);
    const { done, failed } = await runForEach(items, action.send);
    selection.value = new Set(failed.map(({ item }) => item.id));
    if (done.length > 0) {
      list.items.value = list.items.value?.filter((one) => !done.includes(one));
      action.onDone?.(done);
      toast({ text: action.done(describe(done)) });
      focusRow(row);
    }
    await reload();
    if (!failed[0]) return;
    const names = formatList(failed.map(({ item }) => quote(getName(item))));
    const again = () => action.again(failed.map(({ item }) => item));
    showFailure(action.failed(names, failed[0].error.message), again);
  };

  const restore = (items: readonly Item[]): Promise<void> =>
    takeOut(items, {
      send: options.restore,
      done: texts.restored,
      failed: texts.notRestored,
      again: restore,
      onDone: options.onRestored,
    });

  const purge = (items: readonly Item[]): Promise<void> =>
    takeOut(items, {
      send: options.purge,
      done: texts.purged,
      failed: texts.notPurged,
      again: purge,
    });

  return {
    /** Restores items from the trash. */
    restore,
    /** Asks before items are deleted for good. */
    askToPurge: async (items: readonly Item[]): Promise<void> => {
      if (items.length === 0) return;
      const { agreesToPurge } = await import('./purge-question.ts');
      if (await agreesToPurge(describe(items))) await purge(items);
    },
  };
};
