import type { Item } from '../../../../browser/client/endpoints.ts';
import type { ListPage, PagedList } from '../../../../browser/data/paged-list.ts';

export type Message = Item<'GET /api/messages'>;

/** Puts the newest items before those that are loaded, each once. */
export const mergeNewest = <Item>(
  loaded: readonly Item[],
  newest: readonly Item[],
  getId: (item: Item) => number,
): readonly Item[] => {
  const fresh = new Set(newest.map(getId));
  return [...newest, ...loaded.filter((item) => !fresh.has(getId(item)))];
};

/** Loads what is new in a list. Pages after the first stay as they are. */
export const loadNewest = async <Item>(
  list: PagedList<Item>,
  read: () => Promise<ListPage<Item>>,
  getId: (item: Item) => number,
): Promise<void> => {
  if (list.page.peek() === 1) return list.load(1);
  const { items } = await read();
  list.items.value = mergeNewest(list.items.peek() ?? [], items, getId);
};
