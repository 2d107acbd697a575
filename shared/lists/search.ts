import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../db/dynamodb.ts';
import { type Key, schema } from '../db/table.ts';
import {
  filterByWords,
  mergeSources,
  type Partition,
  readFiltered,
  type SortOrder,
  sortItems,
} from './list-partitions.ts';
import {
  type ListKey,
  type ListQuery,
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPageFrom,
} from './pagination.ts';

/*
 * A record has a place under each of its words, in one partition for all words that begin with the same character. A search
 * reads those that begin as one of its words, keeps the records that have its other words too, and sorts what it has found.
 * It reads in the direction that is asked for: of each word the newest first, or the oldest.
 */

/** A word of a shelf, and whether it is read from the index, which may lag. */
type WordKey = Key & { readonly ofIndex?: true };

/** Where a search looks: the words of shelves, and a partition of places that is read whole. */
export interface SearchScope {
  readonly words: readonly ((word: string) => WordKey)[];
  readonly whole?: Partition;
}

/** A search looks at no more words of a shelf than this, however many begin alike. */
const scannedInAll = 20_000;
const scannedAtOnce = 2_000;

/** More of a word than can be shown. */
const enough = maxCountedMatches + 1;

/** No character sorts behind it. */
const lastCharacter = '\u{10ffff}';

const wordIn = (sortKey: string): string => sortKey.slice(0, sortKey.lastIndexOf('#'));

/** The order that a search is read in: by id, of which the first are enough, or otherwise as a whole. */
type Direction = Pick<SortOrder<never>, 'isById' | 'isDescending'>;

interface Range {
  readonly from?: string;
  readonly to?: string;
}

/** The query of the words of a shelf that begin as one of a search, from a sort key or up to one. */
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
  /** Was all looked at? */
  readonly isWhole: boolean;
}

/** Skips what is left of a word: no character of a word sorts before the one between it and an id, or the next one. */
const queryAfter = (word: string, isDescending: boolean): Range =>
  isDescending ? { to: `${word}#` } : { from: `${word}$` };

/**
 * Reads the places of a shelf's words, and stops when it has looked at so many. Where they are asked for by id, it goes on to
 * the next word when one has had more than can be shown.
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
 * Reads a shelf by the longest word of a search, the first of them; where that is one of many, as the domain of addresses
 * is, by another that is one of few. Where each is one of many, it is read by the one whose places have the others most
 * often, as far as a look at the first of them tells.
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

/**
 * A page of the places of what has a word that begins as each of those looked for, each thing once, and how many there are:
 * the first 1 000 of them in an order. What it costs grows with the matches; past 20 000 words that begin alike it may
 * not know of all, and `totalIsExact` is false.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`
 */
export const searchPage = async <Place extends Key & { readonly id: number }>(
  asked: readonly string[],
  searched: SearchScope,
  order: SortOrder<Place>,
  request: PageRequest,
  scope: string,
): Promise<ListResult<Place>> => {
  // Nothing is what nobody asks for: a search without a word finds none.
  const { words, whole }: SearchScope = asked.length > 0 ? searched : { words: [] };
  const [filtered, ...found] = await Promise.all([
    whole ? readFiltered<Place>(whole.pk, filterByWords(asked)) : [],
    ...words.map((keyOf) => searchList(keyOf, asked, order)),
  ]);
  const places = [...found.flatMap((one) => one.places as unknown as Place[]), ...filtered];
  const matches = [...new Map(places.map((place) => [place.id, place])).values()];
  const shown = sortItems(matches, order).slice(0, maxCountedMatches);
  const source = mergeSources([], Promise.resolve(shown), order.isDescending);
  const page = await readPageFrom(source, false, request, scope);
  return {
    ...page,
    items: page.items as unknown as Place[],
    total: shown.length,
    totalIsExact: found.every(({ isWhole }) => isWhole) && matches.length <= maxCountedMatches,
  };
};
