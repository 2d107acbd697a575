import { tableName } from '../db/dynamodb.ts';
import type { Key } from '../db/key.ts';
import { deleteItemWrite, type Write } from '../db/transaction.ts';

const byKey = (places: readonly Key[]): Map<string, Key> =>
  new Map(places.map((place) => [`${place.pk} ${place.sk}`, place]));

/**
 * Creates the writes that change the index entries of a record from those before to those after a change, for its
 * transaction. Unchanged entries need none.
 */
export const diffIndexEntries = (
  before: readonly Key[],
  after: readonly Key[],
): readonly Write[] => {
  const [old, fresh] = [byKey(before), byKey(after)];
  const writes: Write[] = [];
  for (const [key, place] of old) if (!fresh.has(key)) writes.push(deleteItemWrite(place));
  for (const [key, place] of fresh) {
    const was = old.get(key);
    if (was && JSON.stringify(was) === JSON.stringify(place)) continue;
    writes.push({ Put: { TableName: tableName(), Item: place } });
  }
  return writes;
};
