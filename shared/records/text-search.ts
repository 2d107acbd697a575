import type { Key } from '../db/key.ts';
import type { ListKey } from '../db/query.ts';
import { mergeSources, type SortOrder } from '../lists/list-partitions.ts';
import {
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPageFrom,
  type Source,
} from '../lists/pagination.ts';

/*
 * A search finds records by their names, and then by their texts. Names have entries by word, so all of them are found at once. Texts
 * have none: the list by creation is read, newest first, and the text of each record is looked into
 * (decisions.md#search-of-texts). One request examines so many; its cursor goes on.
 */

/** A place of a list, and which part of its record a search has found. */
export interface TextMatch {
  readonly matchedIn?: 'title' | 'text';
}

/** Returns those of some places whose texts have words that start with each of those asked for. */
export type FindByText<Place> = (
  places: readonly Place[],
  asked: readonly string[],
) => Promise<readonly Place[]>;

/** The most records whose texts one request looks into. */
const maxExamined = 1_000;
/** Records that are looked into together. */
const examinedAtOnce = 250;

/** Marks a place among the matches by text, whose order is that of creation. */
const textPlaces = 'TEXTS';

interface Scan<Place> {
  readonly found: readonly Place[];
  /** The last examined place, unless all were examined. */
  readonly stoppedAt: ListKey | undefined;
}

type Listed = Key & { readonly id: number };

const toPlace = ({ sk }: { readonly sk?: unknown }): ListKey => ({ pk: textPlaces, sk });

/** What a search by texts reads. */
export interface TextScope<Place> {
  readonly asked: readonly string[];
  /** All places that the viewer sees, in their order of creation. */
  readonly all: Source;
  readonly findByText: FindByText<Place>;
}

/** Looks for matches after a place, until there are so many or so many were examined. */
const scan = async <Place extends Listed>(
  { asked, all, findByText }: TextScope<Place>,
  known: ReadonlySet<number>,
  from: ListKey | undefined,
  wanted: number,
): Promise<Scan<Place>> => {
  const found: Place[] = [];
  let last = from;
  for (let examined = 0; examined < maxExamined; examined += examinedAtOnce) {
    const { items, stoppedAt } = await all(examinedAtOnce, last, false);
    const places = (items as readonly object[] as readonly Place[]).filter(
      ({ id }) => !known.has(id),
    );
    found.push(...(await findByText(places, asked)));
    const end = stoppedAt ?? items[examinedAtOnce - 1];
    if (!end) return { found, stoppedAt: undefined };
    last = toPlace(end);
    if (found.length >= wanted) break;
  }
  return { found, stoppedAt: last };
};

/**
 * Returns a page of the matches by name, which are given in their order, and after them of those by text in the order of
 * creation. The total is exact if all texts were examined: up to 1,000 of the list. A page may be short or empty and still
 * have a cursor.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`
 */
export const withTextMatches = async <Place extends Listed>(
  named: { readonly places: readonly Place[]; readonly isWhole: boolean },
  texts: TextScope<Place>,
  { isDescending }: Pick<SortOrder<Place>, 'isDescending'>,
  request: PageRequest,
  scope: string,
): Promise<ListResult<Place & TextMatch>> => {
  const known = new Set(named.places.map(({ id }) => id));
  const first = scan(texts, known, undefined, Infinity);
  const byName = mergeSources([], Promise.resolve(named.places), isDescending);
  const source: Source = async (count, from, isReversed) => {
    const isInTexts = from?.['pk'] === textPlaces;
    const names = isInTexts ? [] : (await byName(count, from, isReversed)).items;
    if (names.length >= count) return { items: names };
    const { found, stoppedAt } = await (isInTexts ? scan(texts, known, from, count) : first);
    const items = [
      ...names.map((place) => ({ ...place, matchedIn: 'title' })),
      ...found.map((place) => ({ ...place, ...toPlace(place), matchedIn: 'text' })),
    ];
    return { items: items.slice(0, count), stoppedAt };
  };
  const [page, { found, stoppedAt }] = await Promise.all([
    readPageFrom(source, false, request, scope),
    first,
  ]);
  const total = named.places.length + found.length;
  return {
    ...page,
    items: page.items as readonly object[] as (Place & TextMatch)[],
    total: Math.min(total, maxCountedMatches),
    totalIsExact: named.isWhole && stoppedAt === undefined && total <= maxCountedMatches,
  };
};
