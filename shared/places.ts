import { tableName } from './dynamodb.ts';
import type { Key } from './table.ts';
import { removeItem, type Write } from './transaction.ts';

type Name = `place ${string}`;

const byName = (places: readonly Key[]): Map<Name, Key> =>
  new Map(places.map((place) => [`place ${place.pk} ${place.sk}`, place]));

/**
 * The writes that bring the items that lead to a record, from lists or words, from those before a change to those after
 * it, for the transaction that makes, changes or removes the record: none for what stays as it is.
 */
export const movePlaces = (
  before: readonly Key[],
  after: readonly Key[],
): Readonly<Record<Name, Write>> => {
  const [old, fresh] = [byName(before), byName(after)];
  const writes: Record<Name, Write> = {};
  for (const [name, place] of old) if (!fresh.has(name)) writes[name] = removeItem(place);
  for (const [name, place] of fresh) {
    if (JSON.stringify(old.get(name)) !== JSON.stringify(place)) {
      writes[name] = { Put: { TableName: tableName(), Item: place } };
    }
  }
  return writes;
};
