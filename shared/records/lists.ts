import type { Actor } from '../auth/actor.ts';
import { userKeys } from '../auth/keys.ts';
import { batchGet } from '../db/dynamodb.ts';
import type { Item } from '../db/item-parser.ts';
import type { Key, ListScope } from '../db/key.ts';
import type { Partition } from '../db/query.ts';
import {
  countEntries,
  mergeSources,
  orderBy,
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
import { searchAll, searchPage } from '../lists/search.ts';
import { tokenizeQuery } from '../lists/tokenize.ts';
import { type Author, parseAuthor, toAuthor } from '../users/person.ts';
import type { VisibleCounts } from './counts.ts';
import { allScopes, type ListEntry, type ListKeys } from './index-entries.ts';
import { type FindByText, type TextMatch, withTextMatches } from './text-search.ts';

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

/** Everything that a viewer sees, newest first. */
const byCreation: ListFilter = { sort: 'createdAt' };

/** Whose view a list is read for. */
export interface Viewer {
  readonly id: number;
  readonly isManager: boolean;
}

/** A kind of listed records, such as documents. */
export interface ListedKind<Entry extends ListEntry, Filter, Listed, Found> {
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
  /** Returns the key of the item that `toFound` needs of an owner whose records the actor can edit, if any. */
  toOwnerKey?(ownerId: number): Key;
  parseRecord(item: Item | undefined): Listed | undefined;
  getOwnerId(record: Entry | Listed): number;
  /** Whether a list shows the record to the actor. */
  canView(actor: Actor, record: Listed): boolean;
  /** Finds records by their texts, too; absent if they have none. */
  readonly findByText?: FindByText<Entry>;
  toFound(record: Listed, owner: Author, ofOwner: Item | undefined, match: TextMatch): Found;
}

/** A page of entries that was read for a viewer, with the viewer's item as an owner, or why it was not. */
interface EntriesAhead<Entry> {
  readonly isManager: boolean;
  readonly outcome: PromiseSettledResult<readonly [ListResult<Entry>, Item | undefined]>;
}

/** Returns the scopes in which a viewer finds records, besides those shared with the viewer. */
export const getViewedScopes = (isManager: boolean, userId: number): readonly ListScope[] =>
  isManager ? allScopes : [`OF#${userId}`, 'EVERYONE'];

/** Returns the partition of a scope. Those of ALL are in the index, except the one by id. */
export const toPartition = (scope: ListScope, partition: Partition): Partition =>
  scope.startsWith('ALL') ? { ...partition, ofIndex: true } : partition;

/** How many managers a process remembers. */
const maxManagers = 1_000;

/** Creates the functions that list a kind's records, by at most one of search, `shared` and its own filters. */
export const createList = <
  Entry extends ListEntry,
  Filter extends ListFilter,
  Listed extends object,
  Found,
>(
  kind: ListedKind<Entry, Filter, Listed, Found>,
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

  const selectDefault = ({ id: me, isManager }: Viewer, { shared, sort }: ListFilter): Sources => {
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
    const asked = tokenizeQuery(text);
    const { findByText } = kind;
    if (!findByText || asked.length === 0) {
      return searchPage(asked, searched, order, request, cursorScope);
    }
    const named = await searchAll(asked, searched, order);
    const direction = order.isById ? order.isDescending : true;
    const { partitions } = selectDefault({ id: me, isManager }, byCreation);
    const all = mergeSources(partitions, undefined, direction);
    return withTextMatches(named, { asked, all, findByText }, order, request, cursorScope);
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

  const readOwn = async (userId: number, { shared }: Filter): Promise<Item | undefined> =>
    shared || !kind.toOwnerKey ? undefined : (await batchGet([kind.toOwnerKey(userId)]))[0];

  /** An entry by creation has all that lists show. */
  const isWhole = (entry: Entry): entry is Entry & Listed => 'version' in entry;

  /** Loads what neither the entries nor the actor have: records, owners and their items, in one round trip. */
  const load = async (
    actor: Actor,
    entries: readonly Entry[],
    ofActor: Item | undefined,
  ): Promise<Found[]> => {
    const { user } = actor;
    const ids = entries.flatMap((entry) => (isWhole(entry) ? [] : [entry.id]));
    const others = [...new Set(entries.map(kind.getOwnerId))].filter((id) => id !== user.id);
    const { toOwnerKey } = kind;
    const items = await batchGet([
      ...ids.map((id) => keys.record.at({ id })),
      ...others.map((id) => userKeys.record.at({ id })),
      ...(toOwnerKey && kind.isManager(actor) ? others.map(toOwnerKey) : []),
    ]);
    const records = new Map(ids.map((id, at) => [id, kind.parseRecord(items[at])]));
    const owners = new Map([
      [user.id, toAuthor(user)],
      ...others.map((id, at) => [id, parseAuthor(items[ids.length + at])] as const),
    ]);
    const rest = items.slice(ids.length + others.length);
    const ofOwners = new Map([
      [user.id, ofActor],
      ...others.map((id, at) => [id, rest[at]] as const),
    ]);
    // A record may have changed, and its owner been removed, since its entry was read.
    return entries.flatMap((entry) => {
      const record = isWhole(entry) ? entry : records.get(entry.id);
      const owner = record && owners.get(kind.getOwnerId(record));
      return owner && kind.canView(actor, record)
        ? [kind.toFound(record, owner, ofOwners.get(owner.id), entry as TextMatch)]
        : [];
    });
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
  ): Promise<EntriesAhead<Entry>> => {
    const read = async () => {
      kind.assertSupported(filter);
      return Promise.all([find(viewer, filter, request), readOwn(viewer.id, filter)]);
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
      ahead?: Promise<EntriesAhead<Entry>>,
    ): Promise<ListResult<Found>> => {
      const viewer = { id: actor.user.id, isManager: kind.isManager(actor) };
      noteManager(viewer.id, viewer.isManager);
      const begun = await ahead;
      const isUsable = begun?.isManager === viewer.isManager;
      const { outcome } = isUsable ? begun : await readFor(viewer, filter, request);
      if (outcome.status === 'rejected') throw outcome.reason;
      const [page, ofActor] = outcome.value;
      return { ...page, items: await load(actor, page.items, ofActor) };
    },
  };
};
