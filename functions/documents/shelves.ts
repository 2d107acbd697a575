import {
  countedMatches,
  type ListKey,
  type ListQuery,
  readMatches,
  readSome,
  type Source,
} from '../../shared/page.ts';
import { type Key, keys, schema } from '../../shared/table.ts';
import type { Place } from './places.ts';

/** Places that lie together in the order of their sort keys: of the table, or, where it may lag, of its index. */
export interface Partition {
  readonly pk: string;
  readonly ofIndex?: true;
}

/** Items that were read whole and are sorted already. */
export type Sorted = Promise<readonly Place[]>;

/** The query of a whole partition. */
export const queryOf = ({ pk, ofIndex }: Partition, newestFirst: boolean): ListQuery => ({
  ...(ofIndex ? { IndexName: schema.index.name } : { ConsistentRead: true }),
  KeyConditionExpression: '#pk = :pk',
  ExpressionAttributeNames: { '#pk': ofIndex ? schema.index.partitionKey : schema.partitionKey },
  ExpressionAttributeValues: { ':pk': pk },
  ScanIndexForward: !newestFirst,
});

/** As the table sorts: by the bytes of UTF-8. */
export const compareKeys = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

const inOrder = (newestFirst: boolean) => (a: ListKey, b: ListKey) =>
  compareKeys(String(a['sk']), String(b['sk'])) * (newestFirst ? -1 : 1);

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

/** The places of several partitions, and of what was read whole, as one list; no document is in two of them. */
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

/** What a filter asks of the places of documents that are shared with a user. */
export interface SharedFilter {
  readonly folder?: string;
  readonly authorId?: number;
  readonly words?: readonly string[];
}

/** More than anybody will be given; it bounds what one request reads. */
const maxShared = 100_000;

/** The documents that are shared with a user and fit the filter, newest first: what it costs grows with those shared. */
export const readShared = async (
  userId: number,
  { folder, authorId, words = [] }: SharedFilter,
): Promise<Place[]> => {
  const values = {
    ...(folder !== undefined && { ':folder': folder }),
    ...(authorId !== undefined && { ':author': authorId }),
    ...Object.fromEntries(words.map((word, at) => [`:word${at}`, ` ${word}`])),
  };
  const conditions = [
    ...(folder === undefined ? [] : ['#folder = :folder']),
    ...(authorId === undefined ? [] : ['authorId = :author']),
    ...words.map((_, at) => `contains(#words, :word${at})`),
  ];
  const base = queryOf({ pk: keys.documentById(`SHARED#${userId}`, 0).pk }, true);
  const { items } = await readMatches(
    {
      ...base,
      ...(conditions.length > 0 && { FilterExpression: conditions.join(' AND ') }),
      ExpressionAttributeNames: {
        ...base.ExpressionAttributeNames,
        ...(folder !== undefined && { '#folder': 'folder' }),
        ...(words.length > 0 && { '#words': 'words' }),
      },
      ExpressionAttributeValues: { ...base.ExpressionAttributeValues, ...values },
    },
    { matches: maxShared, scanned: maxShared },
  );
  return items as unknown as Place[];
};

/** The same places as they stand in a list by title. */
export const byTitle = (places: readonly Place[]): Place[] =>
  places
    .map((place) => ({ ...place, ...keys.documentByTitle('ALL', place.sortTitle ?? '', place.id) }))
    .sort((a, b) => compareKeys(a.sk, b.sk));

/** A search looks at no more words than this, however many begin alike. */
const maxScanned = 20_000;

/** Reads the words of a shelf that begin as the longest of a search, and keeps whose other words fit as well. */
export const readWords = async (
  longest: string,
  others: readonly string[],
  partitionOf: (word: string) => Key & { readonly ofIndex?: true },
): Promise<{ readonly places: Place[]; readonly isWhole: boolean }> => {
  const { pk, sk, ofIndex } = partitionOf(longest);
  const names = ofIndex ? schema.index : schema;
  const { items, isWhole } = await readMatches(
    {
      ...(ofIndex ? { IndexName: schema.index.name } : { ConsistentRead: true }),
      KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
      ExpressionAttributeNames: {
        '#pk': names.partitionKey,
        '#sk': names.sortKey,
        ...(others.length > 0 && { '#words': 'words' }),
      },
      ExpressionAttributeValues: {
        ':pk': pk,
        ':prefix': sk.slice(0, sk.lastIndexOf('#')),
        ...Object.fromEntries(others.map((word, at) => [`:other${at}`, ` ${word}`])),
      },
      ...(others.length > 0 && {
        FilterExpression: others.map((_, at) => `contains(#words, :other${at})`).join(' AND '),
      }),
    },
    // One document may have several words that begin so.
    { matches: countedMatches + 1, scanned: maxScanned, distinct: 'id' },
  );
  return { places: items as unknown as Place[], isWhole };
};
