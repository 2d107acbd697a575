import type { Actor } from '../../../shared/auth/actor.ts';
import type { ListScope } from '../../../shared/db/key.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  chooseNarrowest,
  countEntries,
  mergeSources,
  orderBy,
  type Partition,
  type PlaceFilter,
  readFiltered,
  type SortOrder,
  sortItems,
} from '../../../shared/lists/list-partitions.ts';
import {
  type ListResult,
  type Page,
  type PageRequest,
  readPageFrom,
} from '../../../shared/lists/pagination.ts';
import { searchPage } from '../../../shared/lists/search.ts';
import { tokenizeQuery } from '../../../shared/lists/tokenize.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { type Author, toAuthor } from '../../../shared/users/person.ts';
import { countAll, countVisible } from './counts.ts';
import { canView, isManager, type StoredDocument } from './document.ts';
import { findAll } from './documents.ts';
import type { IndexEntry } from './index-entries.ts';
import { documentKeys } from './keys.ts';

/*
 * A document that is not in the trash has index entries in these scopes:
 *
 *   ALL          every document, for managers
 *   EVERYONE     documents visible to everyone
 *   OF#<id>      an author's other documents
 *   SHARED#<id>  other documents shared with a user
 *
 * A user sees OF, SHARED and EVERYONE, which never overlap. A list merges them in its sort order under one cursor; its
 * total is the sum of the user's counter and that of EVERYONE. A transaction that changes visibility or readers also
 * moves the entries and counters.
 */

export type DocumentSort = 'createdAt' | 'title';

/** Selects and sorts documents. `folder`, `type` and `tag` can be combined; other filters can't. */
export interface DocumentFilter {
  /** Each word is a prefix of a word of the title. */
  readonly search?: string | undefined;
  readonly folder?: string | undefined;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
  readonly author?: number | undefined;
  /** Shared with the actor, and not visible to everyone. */
  readonly shared?: true | undefined;
  readonly sort: DocumentSort;
}

export interface FoundDocument {
  readonly document: StoredDocument;
  readonly author: Author;
}

interface Sources {
  /** Partitions that are in the order of the list. */
  readonly partitions: readonly Partition[];
  /** Selects entries of the partitions. */
  readonly filter?: PlaceFilter;
  /** Selects entries of the actor's SHARED scope, which is not in this order. */
  readonly shared?: PlaceFilter;
}

const sharedPartition = (userId: number): Partition =>
  documentKeys.byId.partition({ list: `SHARED#${userId}` });

const isFaceted = ({ folder, type, tag }: DocumentFilter): boolean =>
  folder !== undefined || type !== undefined || tag !== undefined;

/** Lists the partitions of a scope, one for each condition on tag, folder and type. */
const facetPartitions = (
  scope: ListScope,
  { folder, type, tag }: DocumentFilter,
): readonly Partition[] =>
  [
    ...(tag === undefined ? [] : [documentKeys.byTag.partition({ list: scope, tag })]),
    ...(folder === undefined ? [] : [documentKeys.byFolder.partition({ list: scope, folder })]),
    ...(type === undefined ? [] : [documentKeys.byType.partition({ list: scope, type })]),
  ].map(({ pk }) => ({ pk, ...(scope === 'ALL' && { ofIndex: true as const }) }));

/** Reads each scope by the condition with the fewest matches and filters by the others. */
const selectFacetedSources = async (actor: Actor, filter: DocumentFilter): Promise<Sources> => {
  const { folder, type, tag } = filter;
  const scopes: readonly ListScope[] = isManager(actor)
    ? ['ALL']
    : [`OF#${actor.user.id}`, 'EVERYONE'];
  const conditions: PlaceFilter = {
    equal: { folder, type },
    contains: tag === undefined ? [] : [['tags', tag]],
  };
  const partitions = await Promise.all(
    scopes.map((scope) => chooseNarrowest(facetPartitions(scope, filter))),
  );
  const isOne = [folder, type, tag].filter((value) => value !== undefined).length === 1;
  return {
    partitions: partitions.filter((partition) => partition !== undefined),
    ...(!isOne && { filter: conditions }),
    ...(!isManager(actor) && { shared: conditions }),
  };
};

const selectSources = async (actor: Actor, filter: DocumentFilter): Promise<Sources> => {
  if (isFaceted(filter)) return selectFacetedSources(actor, filter);
  const { author, shared, sort } = filter;
  const me = actor.user.id;
  if (shared) {
    return sort === 'title'
      ? { partitions: [], shared: {} }
      : { partitions: [sharedPartition(me)] };
  }
  const isAll = isManager(actor);
  const own: ListScope = `OF#${me}`;
  if (author !== undefined) {
    const visibleToEveryone = documentKeys.byAuthor.partition({
      list: 'EVERYONE',
      authorId: author,
    });
    const others = documentKeys.byId.partition({ list: `OF#${author}` });
    if (isAll || author === me) return { partitions: [others, visibleToEveryone] };
    return { partitions: [visibleToEveryone], shared: { equal: { authorId: author } } };
  }
  if (sort === 'title') {
    const inScope = (scope: ListScope) => documentKeys.byTitle.partition({ list: scope });
    if (isAll) return { partitions: [{ ...inScope('ALL'), ofIndex: true }] };
    return { partitions: [inScope(own), inScope('EVERYONE')], shared: {} };
  }
  const inScope = (scope: ListScope) => documentKeys.byId.partition({ list: scope });
  if (isAll) return { partitions: [inScope('ALL')] };
  return { partitions: [inScope(own), inScope('EVERYONE'), inScope(`SHARED#${me}`)] };
};

const loadDocuments = async (
  actor: Actor,
  { items, ...page }: Page<IndexEntry>,
): Promise<Page<FoundDocument>> => {
  const authorIds = [...new Set(items.map(({ authorId }) => authorId))];
  const { documents, users } = await findAll(
    items.map(({ id }) => id),
    authorIds,
  );
  const authors = new Map(authorIds.map((id, index) => [id, toAuthor(users[index])]));
  return {
    ...page,
    // A document may have changed, and its author been removed, since its entry was read.
    items: documents.flatMap((document) => {
      const author = document && authors.get(document.authorId);
      return author && document.deletedAt === undefined && canView(actor, document)
        ? [{ document, author }]
        : [];
    }),
  };
};

/** Sorts by the keys of the ALL scope, because every document has them. */
const sortOrders: Readonly<Record<DocumentSort, SortOrder<IndexEntry>>> = {
  createdAt: {
    keyOf: ({ id }) => documentKeys.byId.at({ list: 'ALL', id }),
    isById: true,
    isDescending: true,
  },
  title: {
    keyOf: ({ id, sortTitle = '' }) => documentKeys.byTitle.at({ list: 'ALL', sortTitle, id }),
    isById: false,
    isDescending: false,
  },
};

const search = async (
  actor: Actor,
  words: readonly string[],
  sort: DocumentSort,
  request: PageRequest,
  cursorScope: string,
): Promise<ListResult<FoundDocument>> => {
  const me = actor.user.id;
  const inScope = (scope: ListScope) => (word: string) => ({
    ...documentKeys.byWord.prefix({ list: scope, word }),
    ...(scope === 'ALL' && { ofIndex: true as const }),
  });
  const searchScope = isManager(actor)
    ? { words: [inScope('ALL')] }
    : { words: [inScope(`OF#${me}`), inScope('EVERYONE')], whole: sharedPartition(me) };
  const found = await searchPage(
    words,
    searchScope,
    orderBy(sortOrders[sort], request),
    request,
    cursorScope,
  );
  return { ...found, ...(await loadDocuments(actor, found)) };
};

/**
 * Lists documents the actor can view, without content. Page 1 without a filter, newest first, has a constant cost; that
 * of a search or a filter grows with its matches (those of the narrowest, if filters are combined) and the documents
 * shared with the actor.
 * @throws AppError VALIDATION_ERROR for `cursor`, `page`, a second filter, or a sort order the filter does not support
 */
export const list = async (
  actor: Actor,
  filter: DocumentFilter,
  request: PageRequest,
): Promise<ListResult<FoundDocument>> => {
  assertSupported(filter);
  const me = actor.user.id;
  const isAll = isManager(actor);
  const cursorScope = `documents#${me}#${isAll}#${JSON.stringify(filter)}`;
  const { search: text } = filter;
  if (text !== undefined)
    return search(actor, tokenizeQuery(text), filter.sort, request, cursorScope);
  const sortOrder = orderBy(sortOrders[filter.sort], request);
  const sources = await selectSources(actor, filter);
  const shared =
    sources.shared &&
    readFiltered<IndexEntry>(sharedPartition(me).pk, sources.shared).then((entries) =>
      sortItems(entries, sortOrder),
    );
  const readPage = async () => {
    const { partitions, filter: conditions } = sources;
    const page = await readPageFrom(
      mergeSources(partitions, shared, sortOrder.isDescending, conditions),
      partitions.some(({ ofIndex }) => ofIndex),
      request,
      cursorScope,
    );
    return loadDocuments(actor, page as unknown as Page<IndexEntry>);
  };
  const readCount = async () => {
    if (isFaceted(filter) || filter.author !== undefined || filter.shared) {
      return countEntries(sources.partitions, shared, sources.filter);
    }
    return { total: await (isAll ? countAll() : countVisible(me)), totalIsExact: true };
  };
  const [page, count] = await Promise.all([readPage(), readCount()]);
  return { ...page, ...count };
};

/** There are no entries by title within a folder, type, tag or author. */
const assertSupported = (filter: DocumentFilter): void => {
  const { search: words, folder, type, tag, author, shared, sort } = filter;
  for (const [name, value] of Object.entries({ folder, type, tag })) {
    assertSingleFilter({ search: words, [name]: value, author, shared });
  }
  if (sort === 'title' && (isFaceted(filter) || author !== undefined)) {
    throw invalidField('sort', 'must be createdAt when filtering by folder, type, tag or author');
  }
};
