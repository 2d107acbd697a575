import type { Actor } from '../auth/actor.ts';
import type { Item } from '../db/item-parser.ts';
import type { ListScope } from '../db/key.ts';
import {
  countEntries,
  mergeSources,
  orderBy,
  type Partition,
  type PlaceFilter,
  readFiltered,
  type SortOrder,
  sortItems,
} from '../lists/list-partitions.ts';
import { type ListResult, type PageRequest, readPageFrom } from '../lists/pagination.ts';
import { searchPage } from '../lists/search.ts';
import { tokenizeQuery } from '../lists/tokenize.ts';
import type { VisibleCounts } from './counts.ts';
import { allScopes, type ListEntry, type ListKeys } from './index-entries.ts';

/*
 * A listed record has index entries in these scopes:
 *
 *   ALL#<0-3>    every record, for managers, in four shards
 *   EVERYONE     records visible to everyone
 *   OF#<id>      an owner's other records
 *   SHARED#<id>  other records shared with a user
 *
 * A user sees OF, SHARED and EVERYONE, which never overlap. A list merges them in its sort order under one cursor; its
 * total is the sum of the user's counter and that of EVERYONE. A transaction that changes visibility or readers also
 * moves the entries and counters.
 */

/** Where a list is read. */
export interface Sources {
  /** Partitions that are in the order of the list. */
  readonly partitions: readonly Partition[];
  /** Selects entries of the partitions. */
  readonly filter?: PlaceFilter;
  /** Selects entries of the actor's SHARED scope, which is not in this order. */
  readonly shared?: PlaceFilter;
}

/** The filters and orders that all kinds have. */
interface ListFilter {
  /** Each word is a prefix of a word of the name. */
  readonly search?: string | undefined;
  /** Shared with the actor, and not visible to everyone. */
  readonly shared?: true | undefined;
  /** `createdAt`, or the order by name. */
  readonly sort: string;
}

/** A kind of listed records, such as documents. */
export interface ListedKind<Entry extends ListEntry, Filter, Found, Along> {
  /** Identifies the lists in cursors. */
  readonly name: string;
  readonly keys: ListKeys;
  parseEntry(item: Item): Entry;
  isManager(actor: Actor): boolean;
  readonly counts: VisibleCounts;
  /** Selects the sources of the kind's own filters; `undefined` without one. */
  select(actor: Actor, filter: Filter): Promise<Sources | undefined>;
  /** Reads what `load` needs beside the entries, at the same time as them. */
  readAlong(actor: Actor, filter: Filter): Promise<Along>;
  /** Loads the records of entries, without those that the actor can no longer view. */
  load(actor: Actor, entries: readonly Entry[], along: Along): Promise<Found[]>;
}

/** Returns the scopes in which a viewer finds records, besides those shared with the viewer. */
export const getViewedScopes = (isManager: boolean, userId: number): readonly ListScope[] =>
  isManager ? allScopes : [`OF#${userId}`, 'EVERYONE'];

/** Returns the partition of a scope. Those of ALL are in the index, except the one by id. */
export const toPartition = (scope: ListScope, { pk }: { readonly pk: string }): Partition =>
  scope.startsWith('ALL') ? { pk, ofIndex: true } : { pk };

/** Creates the function that lists a kind's records, by at most one of search, `shared` and its own filters. */
export const createList = <Entry extends ListEntry, Filter extends ListFilter, Found, Along = void>(
  kind: ListedKind<Entry, Filter, Found, Along>,
) => {
  const { keys } = kind;
  // Sorts by the keys of an ALL scope, because every record has them.
  const byId: SortOrder<Entry> = {
    keyOf: ({ id }) => keys.byId.at({ list: 'ALL#0', id }),
    isById: true,
    isDescending: true,
  };
  const byName: SortOrder<Entry> = {
    keyOf: ({ id, sortName = '' }) => keys.byName.at({ list: 'ALL#0', sortName, id }),
    isById: false,
    isDescending: false,
  };
  const inScope = (list: ListScope): Partition => keys.byId.partition({ list });

  const selectDefault = (actor: Actor, { shared, sort }: Filter): Sources => {
    const me = actor.user.id;
    const isManager = kind.isManager(actor);
    const scopes = getViewedScopes(isManager, me);
    if (sort === 'createdAt') {
      const others = isManager ? [] : [inScope(`SHARED#${me}`)];
      return {
        partitions: shared ? [inScope(`SHARED#${me}`)] : [...scopes.map(inScope), ...others],
      };
    }
    if (shared) return { partitions: [], shared: {} };
    const partitions = scopes.map((scope) =>
      toPartition(scope, keys.byName.partition({ list: scope })),
    );
    return { partitions, ...(!isManager && { shared: {} }) };
  };

  const search = async (
    actor: Actor,
    filter: Filter,
    order: SortOrder<Entry>,
    request: PageRequest,
    cursorScope: string,
  ): Promise<ListResult<Found>> => {
    const isManager = kind.isManager(actor);
    const words = getViewedScopes(isManager, actor.user.id).map((scope) => (word: string) => {
      const key = keys.byWord.at({ list: scope, word, id: 0 });
      return { ...key, ...toPartition(scope, key) };
    });
    const searched = { words, ...(!isManager && { whole: inScope(`SHARED#${actor.user.id}`) }) };
    const [found, along] = await Promise.all([
      searchPage(tokenizeQuery(filter.search ?? ''), searched, order, request, cursorScope),
      kind.readAlong(actor, filter),
    ]);
    return { ...found, items: await kind.load(actor, found.items, along) };
  };

  return async (actor: Actor, filter: Filter, request: PageRequest): Promise<ListResult<Found>> => {
    const me = actor.user.id;
    const isManager = kind.isManager(actor);
    const cursorScope = `${kind.name}#${me}#${isManager}#${JSON.stringify(filter)}`;
    const order = orderBy(filter.sort === 'createdAt' ? byId : byName, request);
    if (filter.search !== undefined) {
      return search(actor, filter, order, request, cursorScope);
    }
    const selected = await kind.select(actor, filter);
    const { partitions, filter: conditions, ...rest } = selected ?? selectDefault(actor, filter);
    const shared =
      rest.shared &&
      readFiltered<Entry>(inScope(`SHARED#${me}`).pk, rest.shared).then((entries) =>
        sortItems(entries, order),
      );
    const readPage = async () => {
      const [page, along] = await Promise.all([
        readPageFrom(
          mergeSources(partitions, shared, order.isDescending, conditions),
          partitions.some(({ ofIndex }) => ofIndex),
          request,
          cursorScope,
        ),
        kind.readAlong(actor, filter),
      ]);
      return { ...page, items: await kind.load(actor, page.items.map(kind.parseEntry), along) };
    };
    const readCount = async () => {
      if (selected || filter.shared) return countEntries(partitions, shared, conditions);
      const total = await (isManager ? kind.counts.countAll() : kind.counts.countVisible(me));
      return { total, totalIsExact: true };
    };
    const [page, count] = await Promise.all([readPage(), readCount()]);
    return { ...page, ...count };
  };
};
