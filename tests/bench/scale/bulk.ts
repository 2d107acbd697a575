import { createRequire } from 'node:module';
import { saleKeys } from '../../../functions/api/sales/keys.ts';
import {
  type AttributeValue,
  keys,
  type Table,
  type Write,
} from '../../../infra/local/dynamodb/dynalite.ts';
import { openStore, prefixes, type Store } from '../../../infra/local/dynamodb/store.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { type Original, stepMs, textCopier } from './copies.ts';
import type { Move } from './recording.ts';

type StoredItem = Record<string, AttributeValue>;

interface IndexActions {
  readonly puts: readonly { readonly index: string; readonly key: string; readonly item: object }[];
}

const { getIndexActions } = createRequire(import.meta.url)('dynalite/db') as {
  getIndexActions(
    indexes: unknown,
    before: undefined,
    item: StoredItem,
    table: Table,
  ): IndexActions;
};

const writesAtOnce = 5_000;

/** Returns an item in the engine's format, with its index entries. */
const writesOf = (table: Table, item: StoredItem): Write[] => [
  {
    type: 'put',
    key: prefixes.items(table.TableName) + keys.createKey(item, table),
    value: item,
  },
  ...getIndexActions(table.GlobalSecondaryIndexes ?? [], undefined, item, table).puts.map(
    ({ index, key, item: value }): Write => ({
      type: 'put',
      key: prefixes.index('Global', table.TableName, index) + key,
      value,
    }),
  ),
];

const numberIn = (item: StoredItem, name: string): number => Number(item[name]?.['N'] ?? 0);

/** Changes a stored item. */
const change = async (
  store: Store,
  table: Table,
  { pk, sk }: Move['key'],
  next: (item: StoredItem) => StoredItem,
): Promise<void> => {
  const key = { pk: { S: pk }, sk: { S: sk } };
  const place = prefixes.items(table.TableName) + keys.createKey(key, table);
  const before = store.get(place) as StoredItem | undefined;
  if (!before) throw new Error(`There is no ${pk} ${sk} to count in`);
  await store.write(writesOf(table, next(before)));
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
  for (let n = 1; n <= count; n++) {
    const day = String(Math.floor((at - n * stepMs) / dayMs));
    for (const name of ['kept', 'unread']) {
      const days = kept[name]?.['M'] as StoredItem;
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

/** Returns the names of the key attributes of a table and its indexes. */
const keyNamesOf = ({ KeySchema, GlobalSecondaryIndexes = [] }: Table): Set<string> =>
  new Set(
    [{ KeySchema }, ...GlobalSecondaryIndexes].flatMap((one) =>
      one.KeySchema.map(({ AttributeName }) => AttributeName),
    ),
  );

/**
 * Writes the copies of one item, by index entry and in the order of their keys, because LevelDB spends most of its time
 * sorting unordered writes.
 */
const writeItems = async (
  store: Store,
  table: Table,
  item: StoredItem,
  count: number,
  copyText: ReturnType<typeof textCopier>,
): Promise<void> => {
  const names = keyNamesOf(table);
  const keyed = Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
  const copyKeys = copyText(JSON.stringify(keyed));
  const values = writesOf(table, item).map(({ value }) => copyText(JSON.stringify(value)));
  const places = values.map((): { readonly key: string; readonly n: number }[] => []);
  for (let n = 1; n <= count; n++) {
    const writes = writesOf(table, JSON.parse(copyKeys(n)) as StoredItem);
    for (const [at, { key }] of writes.entries()) places[at]?.push({ key, n });
  }
  for (const [at, copies] of places.entries()) {
    copies.sort((a, b) => (a.key < b.key ? -1 : 1));
    for (let from = 0; from < count; from += writesAtOnce) {
      const writes = copies
        .slice(from, from + writesAtOnce)
        .map(({ key, n }): Write => ({ type: 'put', key, value: values[at]?.(n) }));
      // The values are JSON already.
      await store.level.batch(writes, { valueEncoding: 'utf8' });
    }
  }
};

/**
 * Writes `count` copies of a record directly into the store in a folder. The engine must be stopped.
 * Returns the number of items.
 */
export const writeCopies = async (
  folder: string,
  tableName: string,
  originals: readonly { readonly original: Original; readonly count: number }[],
  step: () => void = () => undefined,
): Promise<number> => {
  const store = await openStore(folder);
  let written = 0;
  try {
    const table = store.table(tableName);
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
