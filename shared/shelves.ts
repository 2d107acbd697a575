import {
  countedMatches,
  countUpTo,
  type Listed,
  type ListKey,
  type ListQuery,
  readMatches,
  readSome,
  type Source,
} from './page.ts';
import { type Key, schema } from './table.ts';

/** Places that lie together in the order of their sort keys: of the table, or, where it may lag, of its index. */
export interface Partition {
  readonly pk: string;
  readonly ofIndex?: true;
}

/** Items that were read whole and are sorted already. */
export type Sorted<Place extends Key = Key> = Promise<readonly Place[]>;

/** The query of a whole partition. */
export const queryOf = ({ pk, ofIndex }: Partition, newestFirst: boolean): ListQuery => ({
  ...(ofIndex ? { IndexName: schema.index.name } : { ConsistentRead: true }),
  KeyConditionExpression: '#pk = :pk',
  ExpressionAttributeNames: { '#pk': ofIndex ? schema.index.partitionKey : schema.partitionKey },
  ExpressionAttributeValues: { ':pk': pk },
  ScanIndexForward: !newestFirst,
});

/** As the table sorts: by the bytes of UTF-8. */
const compareKeys = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

interface Sortable {
  readonly sk?: unknown;
}

const inOrder = (newestFirst: boolean) => (a: Sortable, b: Sortable) =>
  compareKeys(String(a.sk), String(b.sk)) * (newestFirst ? -1 : 1);

const ofPartition =
  (partition: Partition, newestFirst: boolean): Source =>
  (count, from) =>
    readSome(
      queryOf(partition, newestFirst),
      count,
      // The last place that was shown may be another partition's: each goes on behind it in the same order.
      from && (partition.ofIndex ? from : { pk: partition.pk, sk: from['sk'] }),
    );

const ofSorted =
  (sorted: Sorted, newestFirst: boolean): Source =>
  async (count, from) => {
    const items: readonly ListKey[] = (await sorted).map((place) => ({ ...place }));
    const order = inOrder(newestFirst);
    const rest = from ? items.filter((item) => order(item, from) > 0) : items;
    return rest.slice(0, count);
  };

/** An order of a list: the key that a place has in it, and whether the last key comes first. */
export interface Order<Place> {
  readonly keyOf: (place: Place) => Key;
  readonly newestFirst: boolean;
}

/** Places that were read whole, as they stand in a list of an order. */
export const sortedBy = <Place extends Key>(
  places: readonly Place[],
  { keyOf, newestFirst }: Order<Place>,
): Place[] => places.map((place) => ({ ...place, ...keyOf(place) })).sort(inOrder(newestFirst));

/** The places of several partitions, and of what was read whole, as one list; nothing is in two of them. */
export const merged = (
  partitions: readonly Partition[],
  sorted: Sorted | undefined,
  newestFirst: boolean,
): Source => {
  const sources = [
    ...partitions.map((partition) => ofPartition(partition, newestFirst)),
    ...(sorted ? [ofSorted(sorted, newestFirst)] : []),
  ];
  const [only, second] = sources;
  if (only && !second) return only;
  return async (count, from) => {
    const lists = await Promise.all(sources.map((source) => source(count, from)));
    return lists.flat().sort(inOrder(newestFirst)).slice(0, count);
  };
};

/** More than anybody will be given; it bounds what one request reads. */
const maxFiltered = 100_000;

/** The conditions of a filter, each with the attribute that it is about and what it is compared with. */
const filtersOf = (
  equal: Readonly<Record<string, string | number | undefined>>,
  words: readonly string[],
) => [
  ...Object.entries(equal)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name, given: `:${name}`, value, test: `#${name} = :${name}` })),
  ...words.map((word, at) => {
    const given = `:word${at}`;
    return { name: 'words', given, value: ` ${word}`, test: `contains(#words, ${given})` };
  }),
];

/**
 * The places of a partition, newest first, whose attributes equal those that are given and that have each of the words:
 * what it costs grows with the partition.
 */
export const readFiltered = async <Place extends Key>(
  pk: string,
  equal: Readonly<Record<string, string | number | undefined>>,
  words: readonly string[] = [],
): Promise<Place[]> => {
  const filters = filtersOf(equal, words);
  const base = queryOf({ pk }, true);
  const { items } = await readMatches(
    {
      ...base,
      ...(filters.length > 0 && {
        FilterExpression: filters.map(({ test }) => test).join(' AND '),
      }),
      ExpressionAttributeNames: {
        ...base.ExpressionAttributeNames,
        ...Object.fromEntries(filters.map(({ name }) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...base.ExpressionAttributeValues,
        ...Object.fromEntries(filters.map(({ given, value }) => [given, value])),
      },
    },
    { matches: maxFiltered, scanned: maxFiltered },
  );
  return items as unknown as Place[];
};

/** How many places there are in several partitions and among those that were read whole, counted to 1 000. */
export const countPlaces = async (
  partitions: readonly Partition[],
  sorted: Sorted | undefined,
): Promise<Pick<Listed<unknown>, 'total' | 'totalIsExact'>> => {
  const counts = await Promise.all([
    ...partitions.map((partition) => countUpTo(queryOf(partition, true), countedMatches + 1)),
    sorted ? sorted.then(({ length }) => length) : 0,
  ]);
  const count = counts.reduce((sum, one) => sum + one, 0);
  return { total: Math.min(count, countedMatches), totalIsExact: count <= countedMatches };
};
