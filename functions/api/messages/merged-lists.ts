import {
  inDirection,
  type ListKey,
  type ListQuery,
  readFilteredSlice,
} from '../../../shared/db/query.ts';
import type { Source } from '../../../shared/lists/pagination.ts';

/** Returns the message id in a sort key, which is the same in all mailboxes. */
const idPart = (sk: unknown): string => String(sk).split('#').at(-1) ?? '';

/** Returns the key in one list from which it continues after an item of any list of the same user. */
export const continueAfter = (query: ListQuery, from: ListKey | undefined): ListKey | undefined => {
  const { ':pk': pk, ':prefix': prefix } = query.ExpressionAttributeValues ?? {};
  return from && { pk, sk: `${prefix}${idPart(from['sk'])}` };
};

/**
 * Merges lists by message id, without duplicates. Reads the first one before the others, so that a copy that moves from it
 * meanwhile is not missed.
 */
export const mergeLists =
  ([first, ...others]: readonly [Source, ...Source[]]): Source =>
  async (count, from, isReversed) => {
    const slices = [
      await first(count, from, isReversed),
      ...(await Promise.all(others.map((read) => read(count, from, isReversed)))),
    ];
    const sign = isReversed ? 1 : -1;
    const inOrder = (a: ListKey, b: ListKey) =>
      sign * (Number(idPart(a['sk'])) - Number(idPart(b['sk'])));
    const stops = slices.flatMap((slice) => (slice.stoppedAt ? [slice.stoppedAt] : []));
    const [stoppedAt] = stops.toSorted(inOrder);
    const found = slices.flatMap(({ items }) => items);
    const byId = new Map(found.map((item): [unknown, ListKey] => [item['id'], item]));
    // One list may still have items before those that the other has found.
    const complete = [...byId.values()].filter(
      (item) => !stoppedAt || inOrder(item, stoppedAt) <= 0,
    );
    return { items: complete.toSorted(inOrder).slice(0, count), stoppedAt };
  };

const ofQuery =
  (query: ListQuery): Source =>
  (count, from, isReversed) =>
    readFilteredSlice(inDirection(query, isReversed), count, continueAfter(query, from));

/** Merges the lists of queries, as `mergeLists` does. */
export const mergeQueries = ([first, ...others]: readonly [ListQuery, ...ListQuery[]]): Source =>
  mergeLists([ofQuery(first), ...others.map(ofQuery)]);
