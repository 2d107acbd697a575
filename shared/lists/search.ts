import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../db/dynamodb.ts';
import { type Key, schema } from '../db/key.ts';
import type { ListKey, ListQuery, Partition } from '../db/query.ts';
import {
  filterByWords,
  mergeSources,
  readFiltered,
  type SortOrder,
  sortItems,
  toPlaces,
} from './list-partitions.ts';
import {
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPageFrom,
} from './pagination.ts';

/*
 * A record has an entry for each of its words, in one partition for all words with the same first character. A search
 * reads the entries that start with one of its words, keeps the records that have the other words too, and sorts them.
 * It reads each word in the requested direction: newest or oldest first.
 */

/** A word of a list. `ofIndex` means that it is read from the index, which may lag. */
type WordKey = Key & { readonly ofIndex?: true };

/** Where a search reads: the words of lists, and a partition that is read completely. */
export interface SearchScope {
  readonly words: readonly ((word: string) => WordKey)[];
  readonly whole?: Partition;
}

/** Maximum number of entries examined per list. */
const scannedInAll = 20_000;
const scannedAtOnce = 2_000;

/** One more match of a word than can be shown. */
const enough = maxCountedMatches + 1;

/** Sorts after every character. */
const lastCharacter = '\u{10ffff}';

const wordIn = (sortKey: string): string => sortKey.slice(0, sortKey.lastIndexOf('#'));

/** The order in which a search reads: by id, where the first matches are enough, or another, which needs all. */
type Direction = Pick<SortOrder<never>, 'isById' | 'isDescending'>;

interface Range {
  readonly from?: string;
  readonly to?: string;
}

/** Creates the query of a list's words with a prefix, from or up to a sort key. */
const buildSearchQuery = (
  { pk, sk, ofIndex }: WordKey,
  others: readonly string[],
  isDescending: boolean,
  { from = wordIn(sk), to = `${wordIn(sk)}${lastCharacter}` }: Range,
): ListQuery => {
  const names = ofIndex ? schema.index : schema;
  return {
    ...(ofIndex ? { IndexName: schema.index.name } : { ConsistentRead: true }),
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
    ExpressionAttributeNames: {
      '#pk': names.partitionKey,
      '#sk': names.sortKey,
      ...(others.length > 0 && { '#words': 'words' }),
    },
    ExpressionAttributeValues: {
      ':pk': pk,
      ':from': from,
      ':to': to,
      ...Object.fromEntries(others.map((word, at) => [`:other${at}`, ` ${word}`])),
    },
    ...(others.length > 0 && {
      FilterExpression: others.map((_, at) => `contains(#words, :other${at})`).join(' AND '),
    }),
    ScanIndexForward: !isDescending,
  };
};

interface Found {
  readonly places: readonly ListKey[];
  /** Whether all entries were examined. */
  readonly isWhole: boolean;
}

/**
 * Skips the remaining entries of a word. The character between a word and an id sorts before every character of a word.
 */
const queryAfter = (word: string, isDescending: boolean): Range =>
  isDescending ? { to: `${word}#` } : { from: `${word}$` };

/**
 * Reads the entries of a list's words, up to a maximum number examined. If ordered by id, it continues with the next
 * word once one has more matches than can be shown.
 */
const readWords = async (
  key: WordKey,
  others: readonly string[],
  { isById, isDescending }: Direction,
  maxScanned: number,
): Promise<Found> => {
  const { sortKey } = key.ofIndex ? schema.index : schema;
  const wordOf = (place: ListKey) => wordIn(String(place[sortKey]));
  const places: ListKey[] = [];
  let scanned = 0;
  let rest: { readonly range: Range; readonly after?: ListKey } | undefined = { range: {} };
  while (rest && scanned < maxScanned) {
    const { range, after }: typeof rest = rest;
    const response: QueryCommandOutput = await documentClient().send(
      new QueryCommand({
        ...buildSearchQuery(key, others, isDescending, range),
        TableName: tableName(),
        Limit: isById ? enough : scannedAtOnce,
        ExclusiveStartKey: after,
      }),
    );
    places.push(...(response.Items ?? []));
    scanned += response.ScannedCount ?? 0;
    const { LastEvaluatedKey: next } = response;
    rest = next && { range, after: next };
    if (!next || !isById) continue;
    const word = wordOf(next);
    const ofWord = places.filter((place) => wordOf(place) === word);
    if (ofWord.length >= enough) rest = { range: { ...range, ...queryAfter(word, isDescending) } };
  }
  return { places, isWhole: rest === undefined };
};

/**
 * Searches a list by its longest word. If that one is frequent, such as the domain of email addresses, it uses a rarer
 * one. If all are frequent, it uses the one whose first entries contain the other words most often.
 */
const searchList = async (
  keyOf: (word: string) => WordKey,
  asked: readonly string[],
  direction: Direction,
): Promise<Found> => {
  const readBy = (word: string, maxScanned: number) => {
    const others = asked.filter((other) => other !== word);
    return readWords(keyOf(word), others, direction, maxScanned);
  };
  const look = async (word: string) => ({ word, ...(await readBy(word, 1)) });
  const [longest = '', ...others] = asked;
  if (others.length === 0) return readBy(longest, scannedInAll);
  const first = await look(longest);
  if (first.isWhole) return first;
  const looks = [first, ...(await Promise.all(others.map(look)))];
  const best = looks.reduce((one, other) =>
    other.places.length > one.places.length ? other : one,
  );
  return looks.find(({ isWhole }) => isWhole) ?? readBy(best.word, scannedInAll);
};

/** Filters the matches of a search. All matches are then read, up to the maximum that is examined. */
export type MatchFilter<Place> = (place: Place) => boolean;

/** All matches of a search that can be shown, sorted and without duplicates. */
export interface SearchMatches<Place> {
  readonly places: readonly Place[];
  /** Whether these are all. */
  readonly isWhole: boolean;
}

/**
 * Searches for records that have a word starting with each search word. Returns the first 1,000, sorted, without duplicates.
 * The cost grows with the matches. Beyond 20,000 words with the same prefix some may be missing.
 */
export const searchAll = async <Place extends Key & { readonly id: number }>(
  asked: readonly string[],
  searched: SearchScope,
  order: SortOrder<Place>,
  isMatch?: MatchFilter<Place>,
): Promise<SearchMatches<Place>> => {
  // A search without a word has no matches.
  const { words, whole }: SearchScope = asked.length > 0 ? searched : { words: [] };
  const [filtered, ...found] = await Promise.all([
    whole ? readFiltered<Place>(whole.pk, filterByWords(asked)) : [],
    ...words.map((keyOf) =>
      searchList(keyOf, asked, isMatch ? { ...order, isById: false } : order),
    ),
  ]);
  const places = [...found.flatMap((one) => toPlaces<Place>(one.places)), ...filtered];
  const unique = [...new Map(places.map((place) => [place.id, place])).values()];
  const matches = isMatch ? unique.filter(isMatch) : unique;
  return {
    places: sortItems(matches, order).slice(0, maxCountedMatches),
    isWhole: found.every(({ isWhole }) => isWhole) && matches.length <= maxCountedMatches,
  };
};

/**
 * Returns a page of what `searchAll` finds, with its total.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`
 */
export const searchPage = async <Place extends Key & { readonly id: number }>(
  asked: readonly string[],
  searched: SearchScope,
  order: SortOrder<Place>,
  request: PageRequest,
  scope: string,
  isMatch?: MatchFilter<Place>,
): Promise<ListResult<Place>> => {
  const { places, isWhole } = await searchAll(asked, searched, order, isMatch);
  const source = mergeSources([], Promise.resolve(places), order.isDescending);
  const page = await readPageFrom(source, false, request, scope);
  return {
    ...page,
    items: toPlaces<Place>(page.items),
    total: places.length,
    totalIsExact: isWhole,
  };
};
