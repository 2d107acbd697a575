import type { AnyKeyFamily, Key } from '../db/key.ts';
import { schema } from '../db/key.ts';
import { type ListKey, type Partition, partitionQuery, queryItems } from '../db/query.ts';
import { fold } from '../text/fold.ts';

/*
 * The names that records of a list have in common, such as folders, are read from the list's own entries by name: the sort
 * key of an entry begins with its name, so a query reads some entries and the next one goes on after the last name. They are
 * as exact as the list, and cost its changes no write.
 */

/** Length of the folded name in a key, which takes 1,024 bytes: NFKC may make it much longer. Longer names are found by it. */
const maxFolded = 60;

/** Folds a name as it begins a key, and a search for its start. */
export const foldName = (name: string): string => [...fold(name)].slice(0, maxFolded).join('');

/** The most names of an answer. */
export const maxNames = 100;

/** How many entries a query reads: of names with few, several at once; of a name with many, it costs a read unit or two. */
const entriesAtOnce = 25;

/** Between the parts of a key: no name contains it. */
const separator = '\t';

/** They sort before and after all other characters. */
const [first, last] = ['\u0000', '\u{10ffff}'];

/** Reads names of a partition that begin with a text, one more than are shown. */
const readPartition = async (
  family: AnyKeyFamily,
  { prefix = '', ...partition }: Partition,
): Promise<Set<string>> => {
  const { partitionKey, sortKey } = partition.ofIndex ? schema.index : schema;
  const names = new Set<string>();
  const query = partitionQuery(partition, false);
  const toKey = (item: ListKey): Key => ({
    pk: String(item[partitionKey]),
    sk: String(item[sortKey]),
  });
  let from = prefix || first;
  // Each query finds another name, or is the last.
  while (names.size <= maxNames) {
    const items = await queryItems(
      {
        ...query,
        KeyConditionExpression: `${query.KeyConditionExpression} AND #sk BETWEEN :from AND :to`,
        ExpressionAttributeNames: { ...query.ExpressionAttributeNames, '#sk': sortKey },
        ExpressionAttributeValues: {
          ...query.ExpressionAttributeValues,
          ':from': from,
          ':to': `${prefix}${last}`,
        },
      },
      entriesAtOnce,
      undefined,
    );
    const keys = items.map(toKey);
    for (const key of keys) names.add((family.read(key) as { readonly name: string }).name);
    const end = keys.at(-1);
    if (!end || keys.length < entriesAtOnce) break;
    from = `${end.sk.slice(0, end.sk.lastIndexOf(separator))}${separator}${last}`;
  }
  return names;
};

/** Orders names as their keys do. */
export const byFoldedName = (one: string, other: string): number =>
  Buffer.compare(
    Buffer.from(`${foldName(one)}${separator}${one}`),
    Buffer.from(`${foldName(other)}${separator}${other}`),
  );

/**
 * Reads the names in partitions of a family by name, one more than the most of an answer from each at most. `prefix` of a
 * partition is the folded start of the names. Costs a query for every 25 entries of a name less, at most 101 for each
 * partition, one after another; the partitions are read at once.
 */
export const readNames = async (
  family: AnyKeyFamily,
  partitions: readonly Partition[],
): Promise<ReadonlySet<string>> => {
  const found = await Promise.all(partitions.map((partition) => readPartition(family, partition)));
  return new Set(found.flatMap((names) => [...names]));
};
