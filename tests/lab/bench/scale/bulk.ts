import { saleKeys } from '../../../../functions/api/sales/keys.ts';
import { Store } from '../../../../infra/local/aws/dynamodb/storage/store.ts';
import type { Table } from '../../../../infra/local/aws/dynamodb/storage/table.ts';
import type { AttributeValue } from '../../../../infra/local/aws/dynamodb/values/attribute-value.ts';
import { measureItem } from '../../../../infra/local/aws/dynamodb/values/item-size.ts';
import { notificationKeys } from '../../../../shared/notifications/keys.ts';
import { type Original, stepMs, textCopier } from './copies.ts';
import type { Move } from './recording.ts';
import { inOwnShards } from './shards.ts';

type StoredItem = Record<string, AttributeValue>;

const writesAtOnce = 5_000;

const numberIn = (item: StoredItem, name: string): number => Number(item[name]?.['N'] ?? 0);

/** Changes a stored item. */
const change = async (
  store: Store,
  table: Table,
  { pk, sk }: Move['key'],
  next: (item: StoredItem) => StoredItem,
): Promise<void> => {
  const before = table.get({ pk: { S: pk }, sk: { S: sk } });
  if (!before) throw new Error(`There is no ${pk} ${sk} to count in`);
  const after = next(before.item);
  await store.database.write(() => table.write(before, after, measureItem(after)));
};

const plus =
  (count: number, { deltas }: Move) =>
  (item: StoredItem) => ({
    ...item,
    ...Object.fromEntries(
      Object.entries(deltas).map(([name, delta]) => [
        name,
        { N: String(numberIn(item, name) + delta * count) },
      ]),
    ),
  });

const dayMs = 86_400_000;

/** Adds the copies of a notification to its counters, by day. */
const plusNotifications = (count: number, at: number) => (item: StoredItem) => {
  const kept = structuredClone(item);
  const bell = kept['bell']?.['M'] as StoredItem;
  for (let n = 1; n <= count; n++) {
    const day = String(Math.floor((at - n * stepMs) / dayMs));
    for (const name of ['kept', 'unread']) {
      const days = bell[name]?.['M'] as StoredItem;
      days[day] = { N: String(numberIn(days, day) + 1) };
    }
  }
  return kept;
};

/** Names that all copies share and that exist already. */
const { sk: names } = saleKeys.categories.at({ currency: '' });
const { sk: box } = notificationKeys.counters.at({ userId: 0 });

/** Updates items that are neither written whole nor incremented. Only the notification counters change. */
const adjustOthers = async (
  store: Store,
  table: Table,
  { made, name }: Original,
  count: number,
) => {
  for (const key of made.others.filter(({ sk }) => sk !== names)) {
    if (key.sk !== box) throw new Error(`${name} updates ${key.pk} ${key.sk}, which a copy can't`);
    await change(store, table, key, plusNotifications(count, made.from));
  }
};

/** Writes the copies of one item and their index entries. */
const writeItems = async (
  store: Store,
  table: Table,
  item: StoredItem,
  count: number,
  copyText: ReturnType<typeof textCopier>,
): Promise<void> => {
  const copy = copyText(JSON.stringify(item));
  for (let from = 1; from <= count; from += writesAtOnce) {
    await store.database.write(() => {
      for (let n = from; n < Math.min(from + writesAtOnce, count + 1); n++) {
        const after = inOwnShards(JSON.parse(copy(n)) as StoredItem);
        table.write(undefined, after, measureItem(after));
      }
    });
  }
};

/**
 * Writes `count` copies of a record directly into the store in a file. The engine must be stopped.
 * Returns the number of items.
 */
export const writeCopies = async (
  file: string,
  tableName: string,
  originals: readonly { readonly original: Original; readonly count: number }[],
  step: () => void = () => undefined,
): Promise<number> => {
  const store = new Store(file);
  let written = 0;
  try {
    const table = store.find(tableName);
    if (!table) throw new Error(`There is no table ${tableName}`);
    for (const { original, count } of originals.filter((one) => one.count > 0)) {
      const copyText = textCopier(original);
      for (const item of original.made.items) {
        await writeItems(store, table, item as StoredItem, count, copyText);
        written += count;
      }
      for (const move of original.made.moves)
        await change(store, table, move.key, plus(count, move));
      await adjustOthers(store, table, original, count);
      step();
    }
  } finally {
    await store.close();
  }
  return written;
};
