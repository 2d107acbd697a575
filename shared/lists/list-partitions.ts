import type { Key } from '../db/key.ts';
import {
  countItems,
  type ListKey,
  type ListQuery,
  type Partition,
  partitionQuery,
  queryItems,
  queryMatches,
  readFilteredSlice,
} from '../db/query.ts';
import { type ListResult, maxCountedMatches, type PageRequest, type Source } from './pagination.ts';
import { queryAfter, toRest } from './partition-query.ts';

/** Items that were read completely and are already sorted. */
export type Sorted<Place extends Key = Key> = Promise<readonly Place[]>;

/** Compares keys by UTF-8 bytes, as the table does. */
const compareKeys = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

interface Sortable {
  readonly sk?: unknown;
}

const inOrder = (isDescending: boolean) => (a: Sortable, b: Sortable) =>
  compareKeys(String(a.sk), String(b.sk)) * (isDescending ? -1 : 1);

/** Filters by attributes: equal values, and texts or lists that contain a value. */
export interface PlaceFilter {
  readonly equal?: Readonly<Record<string, string | number | undefined>>;
  readonly contains?: readonly (readonly [attribute: string, value: string])[];
}

/** Creates the filter for entries that contain all words. */
export const filterByWords = (words: readonly string[]): PlaceFilter => ({
  contains: words.map((word) => ['words', ` ${word}`]),
});

/** Adds a filter to a query. */
export const withFilter = (
  query: ListQuery,
  { equal = {}, contains = [] }: PlaceFilter,
): ListQuery => {
  const conditions = [
    ...Object.entries(equal)
      .filter(([, value]) => value !== undefined)
      .map(([name, value], at) => ({
        name,
        value,
        key: `equal${at}`,
        test: `#equal${at} = :equal${at}`,
      })),
    ...contains.map(([name, value], at) => {
      const key = `part${at}`;
      return { name, value, key, test: `contains(#${key}, :${key})` };
    }),
  ];
  if (conditions.length === 0) return query;
  return {
    ...query,
    FilterExpression: conditions.map(({ test }) => test).join(' AND '),
    ExpressionAttributeNames: {
      ...query.ExpressionAttributeNames,
      ...Object.fromEntries(conditions.map(({ key, name }) => [`#${key}`, name])),
    },
    ExpressionAttributeValues: {
      ...query.ExpressionAttributeValues,
      ...Object.fromEntries(conditions.map(({ key, value }) => [`:${key}`, value])),
    },
  };
};

const ofPartition =
  (partition: Partition, isDescending: boolean): Source =>
  async (count, from) => {
    const query = queryAfter(partition, isDescending, from);
    const items = await queryItems(query, count, undefined);
    return { items: items.map(toRest(partition)) };
  };

const ofFiltered =
  (partition: Partition, filter: PlaceFilter, isDescending: boolean): Source =>
  async (count, from) => {
    const query = withFilter(queryAfter(partition, isDescending, from), filter);
    const { items, stoppedAt } = await readFilteredSlice(query, count);
    return {
      items: items.map(toRest(partition)),
      stoppedAt: stoppedAt && toRest(partition)(stoppedAt),
    };
  };

const ofSorted =
  (sorted: Sorted, isDescending: boolean): Source =>
  async (count, from) => {
    const items: readonly ListKey[] = (await sorted).map((place) => ({ ...place }));
    const order = inOrder(isDescending);
    const rest = from ? items.filter((item) => order(item, from) > 0) : items;
    return { items: rest.slice(0, count) };
  };

/** An order of a list: the key an entry sorts by, whether that is by id, and whether it is descending. */
export interface SortOrder<Place> {
  readonly keyOf: (place: Place) => Key;
  readonly isById: boolean;
  readonly isDescending: boolean;
}

/** Returns the order in the requested direction. */
export const orderBy = <Place>(order: SortOrder<Place>, { sort }: PageRequest): SortOrder<Place> =>
  sort?.isReversed ? { ...order, isDescending: !order.isDescending } : order;

/** Sorts entries that were read completely. */
export const sortItems = <Place extends Key>(
  places: readonly Place[],
  { keyOf, isDescending }: SortOrder<Place>,
): Place[] => places.map((place) => ({ ...place, ...keyOf(place) })).sort(inOrder(isDescending));

/** Merges several sources by sort key. */
export const mergedSources =
  (sources: readonly Source[], isDescending: boolean): Source =>
  async (count, from, isReversed) => {
    const slices = await Promise.all(sources.map((source) => source(count, from, isReversed)));
    const order = inOrder(isDescending);
    const items = slices.flatMap((slice) => slice.items).toSorted(order);
    const stops = slices.flatMap(({ stoppedAt }) => (stoppedAt ? [stoppedAt] : []));
    const [stoppedAt] = stops.toSorted(order);
    // Entries after the point where one source stopped are not certain: it may have some before them.
    const sure = stoppedAt ? items.filter((item) => order(item, stoppedAt) <= 0) : items;
    return { items: sure.slice(0, count), stoppedAt };
  };

/** Read of each shard beyond twice its part of a page: then hardly ever is one asked again. */
const spare = 5;

/**
 * Merges the shards of a list by sort key. Each has about its part of a page, so it is asked for little more than that, and
 * again only if the page may have more of it.
 */
export const mergeShards = (shards: readonly Source[], isDescending: boolean): Source => {
  const order = inOrder(isDescending);
  return async (count, from, isReversed) => {
    const atOnce = Math.min(count, Math.ceil((2 * count) / shards.length) + spare);
    const readOn = async (shard: Source, after: ListKey | undefined) => {
      const { items } = await shard(atOnce, after, isReversed);
      return { shard, items, last: items[atOnce - 1] };
    };
    let parts = await Promise.all(shards.map((shard) => readOn(shard, from)));
    for (;;) {
      const items = parts.flatMap((part) => part.items).toSorted(order);
      const end = items[count - 1];
      const isShort = ({ last }: (typeof parts)[number]) =>
        last !== undefined && (end === undefined || order(last, end) < 0);
      if (!parts.some(isShort)) return { items: items.slice(0, count) };
      parts = await Promise.all(
        parts.map(async (part) => {
          if (!isShort(part)) return part;
          const next = await readOn(part.shard, part.last);
          return { ...next, items: [...part.items, ...next.items] };
        }),
      );
    }
  };
};

/** Creates the source of a list in shards, newest first or reversed. */
export const shardedSource =
  (partitions: readonly Partition[]): Source =>
  (count, from, isReversed) => {
    const shards = partitions.map((one) => ofPartition(one, !isReversed));
    return mergeShards(shards, !isReversed)(count, from, isReversed);
  };

/**
 * Creates the source of several partitions and sorted items as one list without duplicates. A filter requires that all
 * partitions sort by the same keys.
 */
export const mergeSources = (
  partitions: readonly Partition[],
  sorted: Sorted | undefined,
  isDescending: boolean,
  filter?: PlaceFilter,
): Source => {
  const sources = [
    ...partitions.map((partition) =>
      filter ? ofFiltered(partition, filter, isDescending) : ofPartition(partition, isDescending),
    ),
    ...(sorted ? [ofSorted(sorted, isDescending)] : []),
  ];
  const [only, second] = sources;
  if (only && !second) return only;
  return mergedSources(sources, isDescending);
};

/** Returns items as the entries of a list. Only its caller knows which attributes the entries of its partition have. */
export const toPlaces = <Place>(items: readonly ListKey[]): Place[] => items as unknown as Place[];

/** More entries than anyone gets. Limits what one request reads. */
const maxFiltered = 100_000;

/** Reads the entries of a partition that match a filter, newest first. The cost grows with the partition. */
export const readFiltered = async <Place extends Key>(
  pk: string,
  filter: PlaceFilter,
): Promise<Place[]> => {
  const { items } = await queryMatches(withFilter(partitionQuery({ pk }, true), filter), {
    matches: maxFiltered,
    scanned: maxFiltered,
  });
  return toPlaces<Place>(items);
};

/** Maximum number of entries examined per partition when counting. */
const maxCounted = 20_000;

interface Count {
  readonly count: number;
  readonly isWhole: boolean;
}

const countIn = async (partition: Partition, filter: PlaceFilter | undefined): Promise<Count> => {
  const query = partitionQuery(partition, true);
  const bound = maxCountedMatches + 1;
  if (!filter) return { count: await countItems(query, bound), isWhole: true };
  const { items, isWhole } = await queryMatches(withFilter(query, filter), {
    matches: bound,
    scanned: maxCounted,
  });
  return { count: items.length, isWhole: isWhole || items.length >= bound };
};

/** Counts the entries of several partitions and sorted items, up to 1,000. */
export const countEntries = async (
  partitions: readonly Partition[],
  sorted: Sorted | undefined,
  filter?: PlaceFilter,
): Promise<Pick<ListResult<unknown>, 'total' | 'totalIsExact'>> => {
  const counts = await Promise.all([
    ...partitions.map((partition) => countIn(partition, filter)),
    sorted ? sorted.then(({ length }) => ({ count: length, isWhole: true })) : [],
  ]);
  const all = counts.flat();
  const count = all.reduce((sum, one) => sum + one.count, 0);
  return {
    total: Math.min(count, maxCountedMatches),
    totalIsExact: count <= maxCountedMatches && all.every(({ isWhole }) => isWhole),
  };
};

/** Returns the partition with the fewest entries, counted up to 1,000; the first of equal ones. */
export const chooseNarrowest = async (
  partitions: readonly Partition[],
): Promise<Partition | undefined> => {
  if (partitions.length < 2) return partitions[0];
  const counts = await Promise.all(
    partitions.map((partition) =>
      countItems(partitionQuery(partition, true), maxCountedMatches + 1),
    ),
  );
  return partitions[counts.indexOf(Math.min(...counts))];
};
