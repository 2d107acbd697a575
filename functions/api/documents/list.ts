import type { Actor } from '../../../shared/auth/actor.ts';
import { keys, type ListScope } from '../../../shared/db/table.ts';
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
import type { Place } from './index-entries.ts';

/*
 * Who sees what, and where a list reads it. A document that is not in the trash stands on the shelf of all, and on one of
 * two kinds besides: where it is everyone's, on everyone's; otherwise on its author's, and on one of each user it is shared
 * with. So what somebody sees is the sum of three shelves that have no document in common: own, shared with me, everyone's.
 * A list merges them in the order of ids with one cursor over all; its total is the sum of the user's counter and
 * everyone's. Whoever manages documents reads the shelf of all. A change of visibility or readers moves the document
 * between shelves and counters in the transaction of that change.
 */

export type DocumentSort = 'createdAt' | 'title';

/** Which documents, and in what order: those a search finds, of an author, or of any of folder, type and tag together. */
export interface DocumentFilter {
  /** Each word is the start of a word of the title. */
  readonly search?: string | undefined;
  readonly folder?: string | undefined;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
  readonly author?: number | undefined;
  /** Shared with the actor by name, and not everyone's. */
  readonly shared?: true | undefined;
  readonly sort: DocumentSort;
}

export interface FoundDocument {
  readonly document: StoredDocument;
  readonly author: Author;
}

/** Where the documents of a filter are: partitions in the order of the list, and how those shared with the caller fit. */
interface Sources {
  readonly partitions: readonly Partition[];
  /** What the places of the partitions have to fit. */
  readonly filter?: PlaceFilter;
  readonly shared?: PlaceFilter;
}

const sharedWith = (userId: number): Partition => keys.documentById(`SHARED#${userId}`, 0);

const isFaceted = ({ folder, type, tag }: DocumentFilter): boolean =>
  folder !== undefined || type !== undefined || tag !== undefined;

/** The lists of a shelf for each of the conditions on folder, type and tag. */
const facetsOn = (scope: ListScope, { folder, type, tag }: DocumentFilter): readonly Partition[] =>
  [
    ...(tag === undefined ? [] : [keys.documentByTag(scope, tag, 0)]),
    ...(folder === undefined ? [] : [keys.documentByFolder(scope, folder, 0)]),
    ...(type === undefined ? [] : [keys.documentByType(scope, type, 0)]),
  ].map(({ pk }) => ({ pk, ...(scope === 'ALL' && { ofIndex: true as const }) }));

/** Of a shelf, the list of the condition that the fewest fit is read, and filtered by the others. */
const facetedSources = async (actor: Actor, filter: DocumentFilter): Promise<Sources> => {
  const { folder, type, tag } = filter;
  const shelves: readonly ListScope[] = isManager(actor)
    ? ['ALL']
    : [`OF#${actor.user.id}`, 'EVERYONE'];
  const conditions: PlaceFilter = {
    equal: { folder, type },
    contains: tag === undefined ? [] : [['tags', tag]],
  };
  const lists = await Promise.all(shelves.map((scope) => chooseNarrowest(facetsOn(scope, filter))));
  const isOne = [folder, type, tag].filter((value) => value !== undefined).length === 1;
  return {
    partitions: lists.filter((list) => list !== undefined),
    ...(!isOne && { filter: conditions }),
    ...(!isManager(actor) && { shared: conditions }),
  };
};

const sourcesFor = async (actor: Actor, filter: DocumentFilter): Promise<Sources> => {
  if (isFaceted(filter)) return facetedSources(actor, filter);
  const { author, shared, sort } = filter;
  const me = actor.user.id;
  if (shared) {
    return sort === 'title' ? { partitions: [], shared: {} } : { partitions: [sharedWith(me)] };
  }
  const isAll = isManager(actor);
  const own: ListScope = `OF#${me}`;
  if (author !== undefined) {
    const ofEveryones = { pk: keys.documentByAuthor('EVERYONE', author, 0).pk };
    const ofAuthor = { pk: keys.documentById(`OF#${author}`, 0).pk };
    if (isAll || author === me) return { partitions: [ofAuthor, ofEveryones] };
    return { partitions: [ofEveryones], shared: { equal: { authorId: author } } };
  }
  if (sort === 'title') {
    const on = (scope: ListScope) => ({ pk: keys.documentByTitle(scope, '', 0).pk });
    if (isAll) return { partitions: [{ ...on('ALL'), ofIndex: true }] };
    return { partitions: [on(own), on('EVERYONE')], shared: {} };
  }
  const on = (scope: ListScope) => ({ pk: keys.documentById(scope, 0).pk });
  if (isAll) return { partitions: [on('ALL')] };
  return { partitions: [on(own), on('EVERYONE'), on(`SHARED#${me}`)] };
};

const withDocuments = async (
  actor: Actor,
  { items, ...page }: Page<Place>,
): Promise<Page<FoundDocument>> => {
  const authorIds = [...new Set(items.map(({ authorId }) => authorId))];
  const { documents, users } = await findAll(
    items.map(({ id }) => id),
    authorIds,
  );
  const authors = new Map(authorIds.map((id, at) => [id, toAuthor(users[at])]));
  return {
    ...page,
    // A document may have been changed since its place was read; nothing of a removed author is shown.
    items: documents.flatMap((document) => {
      const author = document && authors.get(document.authorId);
      return author && document.deletedAt === undefined && canView(actor, document)
        ? [{ document, author }]
        : [];
    }),
  };
};

/** As the shelf of all is sorted. */
const orders: Readonly<Record<DocumentSort, SortOrder<Place>>> = {
  createdAt: {
    keyOf: ({ id }) => keys.documentById('ALL', id),
    isById: true,
    isDescending: true,
  },
  title: {
    keyOf: ({ id, sortTitle = '' }) => keys.documentByTitle('ALL', sortTitle, id),
    isById: false,
    isDescending: false,
  },
};

const search = async (
  actor: Actor,
  words: readonly string[],
  sort: DocumentSort,
  request: PageRequest,
  scope: string,
): Promise<ListResult<FoundDocument>> => {
  const me = actor.user.id;
  const on = (scope: ListScope) => (word: string) => ({
    ...keys.documentByWord(scope, word, 0),
    ...(scope === 'ALL' && { ofIndex: true as const }),
  });
  const searched = isManager(actor)
    ? { words: [on('ALL')] }
    : { words: [on(`OF#${me}`), on('EVERYONE')], whole: sharedWith(me) };
  const found = await searchPage(words, searched, orderBy(orders[sort], request), request, scope);
  return { ...found, ...(await withDocuments(actor, found)) };
};

/**
 * A page of the documents that the actor may see, without content, and how many there are: all, those of an
 * author, those shared with the actor, those a search finds, or those of a folder, a type and a tag, of which any combine. Page 1 of all, newest first,
 * costs the same however many there are; a search or a filter grows with its matches, that of several conditions with the
 * matches of the one that the fewest fit, and with what is shared with the actor.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`, two filters at once, or an order that a filter lacks
 */
export const list = async (
  actor: Actor,
  filter: DocumentFilter,
  request: PageRequest,
): Promise<ListResult<FoundDocument>> => {
  assertFilters(filter);
  const me = actor.user.id;
  const isAll = isManager(actor);
  const scope = `documents#${me}#${isAll}#${JSON.stringify(filter)}`;
  const { search: text } = filter;
  if (text !== undefined) return search(actor, tokenizeQuery(text), filter.sort, request, scope);
  const order = orderBy(orders[filter.sort], request);
  const sources = await sourcesFor(actor, filter);
  const shared =
    sources.shared &&
    readFiltered<Place>(sharedWith(me).pk, sources.shared).then((places) =>
      sortItems(places, order),
    );
  const readCount = async () => {
    if (isFaceted(filter) || filter.author !== undefined || filter.shared) {
      return countEntries(sources.partitions, shared, sources.filter);
    }
    return { total: await (isAll ? countAll() : countVisible(me)), totalIsExact: true };
  };
  const [page, count] = await Promise.all([
    readPageFrom(
      mergeSources(sources.partitions, shared, order.isDescending, sources.filter),
      sources.partitions.some(({ ofIndex }) => ofIndex),
      request,
      scope,
    ).then((read) => withDocuments(actor, read as unknown as Page<Place>)),
    readCount(),
  ]);
  return { ...page, ...count };
};

/** Refuses filters that don't combine, and an order that a filter doesn't have. */
const assertFilters = (filter: DocumentFilter): void => {
  const { search: words, folder, type, tag, author, shared, sort } = filter;
  for (const [name, value] of Object.entries({ folder, type, tag })) {
    assertSingleFilter({ search: words, [name]: value, author, shared });
  }
  if (sort === 'title' && (isFaceted(filter) || author !== undefined)) {
    throw invalidField('sort', 'can only be createdAt beside folder, type, tag or author');
  }
};
