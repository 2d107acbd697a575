import { type ListKey, type ListQuery, queryItems, toStartKey } from '../db/query.ts';

/** Reads all items of a query, so many at a time: the next ones once these are done with. */
export async function* readPages(
  query: ListQuery,
  atOnce: number,
): AsyncGenerator<readonly ListKey[]> {
  for (let from: ListKey | undefined; ; ) {
    const items = await queryItems(query, atOnce, from);
    if (items.length > 0) yield items;
    const last = items[atOnce - 1];
    if (!last) return;
    from = toStartKey(last, query.IndexName !== undefined);
  }
}
