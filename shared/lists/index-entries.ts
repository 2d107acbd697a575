import { tableName } from '../db/dynamodb.ts';
import type { Key } from '../db/table.ts';
import { deleteItemWrite, type Write } from '../db/transaction.ts';

type Name = `place${number}`;

const byKey = (places: readonly Key[]): Map<string, Key> =>
  new Map(places.map((place) => [`${place.pk} ${place.sk}`, place]));

/**
 * The writes that bring the items that lead to a record, from lists or words, from those before a change to those after
 * it, for the transaction that makes, changes or removes the record: none for what stays as it is.
 */
export const diffIndexEntries = (
  before: readonly Key[],
  after: readonly Key[],
): Readonly<Record<Name, Write>> => {
  const [old, fresh] = [byKey(before), byKey(after)];
  const writes: Write[] = [];
  for (const [key, place] of old) if (!fresh.has(key)) writes.push(deleteItemWrite(place));
  for (const [key, place] of fresh) {
    const was = old.get(key);
    if (was && JSON.stringify(was) === JSON.stringify(place)) continue;
    writes.push({ Put: { TableName: tableName(), Item: place } });
  }
  // By number: names that no other request has would have each object be of a shape of its own.
  return Object.fromEntries(writes.map((write, at) => [`place${at}`, write]));
};
