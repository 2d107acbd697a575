import { compareKeys, readFiltered } from '../../shared/shelves.ts';
import { keys } from '../../shared/table.ts';
import type { Place } from './places.ts';

/** What a filter asks of the places of documents that are shared with a user. */
export interface SharedFilter {
  readonly folder?: string;
  readonly authorId?: number;
  readonly words?: readonly string[];
}

/** The documents that are shared with a user and fit the filter, newest first: what it costs grows with those shared. */
export const readShared = (
  userId: number,
  { folder, authorId, words }: SharedFilter,
): Promise<Place[]> =>
  readFiltered(keys.documentById(`SHARED#${userId}`, 0).pk, { folder, authorId }, words);

/** The same places as they stand in a list by title. */
export const byTitle = (places: readonly Place[]): Place[] =>
  places
    .map((place) => ({ ...place, ...keys.documentByTitle('ALL', place.sortTitle ?? '', place.id) }))
    .sort((a, b) => compareKeys(a.sk, b.sk));
