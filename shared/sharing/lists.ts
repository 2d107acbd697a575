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
import {
  type ListResult,
  type PageRequest,
  readPageFrom,
  skipsNothing,
} from '../lists/pagination.ts';
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

/** Whose view a list is read for. */
export interface Viewer {
  readonly id: number;
  readonly isManager: boolean;
}

/** A kind of listed records, such as documents. */
export interface ListedKind<Entry extends ListEntry, Filter, Found, Along> {
  /** Identifies the lists in cursors. */
  readonly name: string;
  readonly keys: ListKeys;
  parseEntry(item: Item): Entry;
  isManager(actor: Actor): boolean;
  readonly counts: VisibleCounts;
  /** Throws if filters or their order can't be combined. */
  assertSupported(filter: Filter): void;
  /** Whether `select` takes no reads, so that a page can be read ahead. */
  isDirect(filter: Filter): boolean;
  /** Selects the sources of the kind's own filters; `undefined` without one. */
  select(viewer: Viewer, filter: Filter): Promise<Sources | undefined>;
  /** Reads what `load` needs beside the entries, at the same time as them. */
  readAlong(userId: number, filter: Filter): Promise<Along>;
  /** Loads the records of entries, without those that the actor can no longer view. */
  load(actor: Actor, entries: readonly Entry[], along: Along): Promise<Found[]>;
}

/** A page of entries that was read for a viewer, with what was read along, or why it was not. */
export interface EntriesAhead<Entry, Along> {
  readonly isManager: boolean;
  readonly outcome: PromiseSettledResult<readonly [ListResult<Entry>, Along]>;
}

/** Returns the scopes in which a viewer finds records, besides those shared with the viewer. */
export const getViewedScopes = (isManager: boolean, userId: number): readonly ListScope[] =>
  isManager ? allScopes : [`OF#${userId}`, 'EVERYONE'];

/** Returns the partition of a scope. Those of ALL are in the index, except the one by id. */
export const toPartition = (scope: ListScope, { pk }: { readonly pk: string }): Partition =>
  scope.startsWith('ALL') ? { pk, ofIndex: true } : { pk };

/** How many managers a process remembers. */
const maxManagers = 1_000;

/** Creates the functions that list a kind's records, by at most one of search, `shared` and its own filters. */
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

  const selectDefault = ({ id: me, isManager }: Viewer, { shared, sort }: Filter): Sources => {
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

  const search = (
    { id: me, isManager }: Viewer,
    text: string,
    order: SortOrder<Entry>,
    request: PageRequest,
    cursorScope: string,
  ): Promise<ListResult<Entry>> => {
    const words = getViewedScopes(isManager, me).map((scope) => (word: string) => {
      const key = keys.byWord.at({ list: scope, word, id: 0 });
      return { ...key, ...toPartition(scope, key) };
    });
    const searched = { words, ...(!isManager && { whole: inScope(`SHARED#${me}`) }) };
    return searchPage(tokenizeQuery(text), searched, order, request, cursorScope);
  };

  const find = async (
    viewer: Viewer,
    filter: Filter,
    request: PageRequest,
  ): Promise<ListResult<Entry>> => {
    const { id: me, isManager } = viewer;
    const cursorScope = `${kind.name}#${me}#${isManager}#${JSON.stringify(filter)}`;
    const order = orderBy(filter.sort === 'createdAt' ? byId : byName, request);
    if (filter.search !== undefined) {
      return search(viewer, filter.search, order, request, cursorScope);
    }
    const selected = await kind.select(viewer, filter);
    const { partitions, filter: conditions, ...rest } = selected ?? selectDefault(viewer, filter);
    const shared =
      rest.shared &&
      readFiltered<Entry>(inScope(`SHARED#${me}`).pk, rest.shared).then((entries) =>
        sortItems(entries, order),
      );
    const readCount = async () => {
      if (selected || filter.shared) return countEntries(partitions, shared, conditions);
      const total = await (isManager ? kind.counts.countAll() : kind.counts.countVisible(me));
      return { total, totalIsExact: true };
    };
    const [page, count] = await Promise.all([
      readPageFrom(
        mergeSources(partitions, shared, order.isDescending, conditions),
        partitions.some(({ ofIndex }) => ofIndex),
        request,
        cursorScope,
      ),
      readCount(),
    ]);
    return { ...page, items: page.items.map(kind.parseEntry), ...count };
  };

  /** The managers that this process has seen: only for which lists to read ahead. */
  const managers = new Set<number>();

  const noteManager = (userId: number, isManager: boolean): void => {
    if (!isManager) managers.delete(userId);
    else if (managers.size < maxManagers) managers.add(userId);
  };

  const readFor = async (
    viewer: Viewer,
    filter: Filter,
    request: PageRequest,
  ): Promise<EntriesAhead<Entry, Along>> => {
    const read = async () => {
      kind.assertSupported(filter);
      return Promise.all([find(viewer, filter, request), kind.readAlong(viewer.id, filter)]);
    };
    const [outcome] = await Promise.allSettled([read()]);
    return { isManager: viewer.isManager, outcome };
  };

  return {
    /**
     * Begins to read the entries of a page that costs little, for a user whose rights are not known yet: most likely they
     * are as the last time.
     */
    readAhead: (userId: number, filter: Filter, request: PageRequest) =>
      filter.search === undefined && kind.isDirect(filter) && skipsNothing(request)
        ? readFor({ id: userId, isManager: managers.has(userId) }, filter, request)
        : undefined,
    /** Lists the records that the actor can view. Entries that were read ahead for other rights are thrown away. */
    list: async (
      actor: Actor,
      filter: Filter,
      request: PageRequest,
      ahead?: Promise<EntriesAhead<Entry, Along>>,
    ): Promise<ListResult<Found>> => {
      const viewer = { id: actor.user.id, isManager: kind.isManager(actor) };
      noteManager(viewer.id, viewer.isManager);
      const begun = await ahead;
      const isUsable = begun?.isManager === viewer.isManager;
      const { outcome } = isUsable ? begun : await readFor(viewer, filter, request);
      if (outcome.status === 'rejected') throw outcome.reason;
      const [page, along] = outcome.value;
      return { ...page, items: await kind.load(actor, page.items, along) };
    },
  };
};
