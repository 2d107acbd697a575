import { itemParser } from '../../../shared/db/item-parser.ts';
import type { ListScope } from '../../../shared/db/key.ts';
import type { Partition } from '../../../shared/db/query.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import { chooseNarrowest, type PlaceFilter } from '../../../shared/lists/list-partitions.ts';
import {
  createList,
  getViewedScopes,
  type Sources,
  toPartition,
  type Viewer,
} from '../../../shared/records/lists.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import type { Author } from '../../../shared/users/person.ts';
import { visible } from './counters.ts';
import { canView, isManager, type ListedDocument } from './document.ts';
import { toDocument } from './documents.ts';
import { type IndexEntry, named } from './index-entries.ts';
import { documentKeys } from './keys.ts';
import { findByText } from './text-words.ts';

export type DocumentSort = 'createdAt' | 'title';

/**
 * Selects and sorts documents. `folder`, `type` and `tag` can be combined, also with `author` or `shared`; other filters
 * can't.
 */
export interface DocumentFilter {
  /** Each word is a prefix of a word of the title, or each of the beginning of the text. */
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
  readonly document: ListedDocument;
  readonly author: Author;
  /** Of a search: what matches. */
  readonly matchedIn?: 'title' | 'text';
}

const isFaceted = ({ folder, type, tag }: DocumentFilter): boolean =>
  folder !== undefined || type !== undefined || tag !== undefined;

/** Lists the partitions of a scope, one for each condition on tag, folder and type. */
const facetPartitions = (
  scope: ListScope,
  { folder, type, tag }: DocumentFilter,
): readonly Partition[] =>
  [
    ...(tag === undefined ? [] : [documentKeys.byTag.prefix({ list: scope, ...named(tag) })]),
    ...(folder === undefined
      ? []
      : [documentKeys.byFolder.prefix({ list: scope, ...named(folder) })]),
    ...(type === undefined ? [] : [documentKeys.byType.prefix({ list: scope, ...named(type) })]),
  ].map(({ pk, sk }) => toPartition(scope, { pk, prefix: sk }));

/** Reads each scope by the condition with the fewest matches and filters by the others. */
const selectFacetedSources = async (
  { id: me, isManager }: Viewer,
  filter: DocumentFilter,
): Promise<Sources> => {
  const { folder, type, tag, author, shared } = filter;
  const conditions: PlaceFilter = {
    equal: { folder, type, authorId: author },
    contains: tag === undefined ? [] : [['tags', tag]],
  };
  if (shared) return { partitions: [], shared: conditions };
  const own = `OF#${me}`;
  const scopes = getViewedScopes(isManager, me).filter(
    (scope) => scope !== own || author === undefined || author === me,
  );
  const partitions = await Promise.all(
    scopes.map((scope) => chooseNarrowest(facetPartitions(scope, filter))),
  );
  const isOne = [folder, type, tag, author].filter((value) => value !== undefined).length === 1;
  return {
    partitions: partitions.filter((partition) => partition !== undefined),
    ...(!isOne && { filter: conditions }),
    ...(!isManager && { shared: conditions }),
  };
};

const selectAuthorSources = ({ id: me, isManager }: Viewer, author: number): Sources => {
  const ofEveryone = documentKeys.byAuthor.partition({ list: 'EVERYONE', authorId: author });
  const others = documentKeys.byId.partition({ list: `OF#${author}` });
  if (isManager || author === me) return { partitions: [others, ofEveryone] };
  return { partitions: [ofEveryone], shared: { equal: { authorId: author } } };
};

/** There are no entries by title within a folder, type, tag or author. */
const assertSupported = (filter: DocumentFilter): void => {
  const { search: words, folder, type, tag, author, shared, sort } = filter;
  assertSingleFilter({ search: words, author, shared });
  for (const [name, value] of Object.entries({ folder, type, tag })) {
    assertSingleFilter({ search: words, [name]: value });
  }
  if (sort === 'title' && (isFaceted(filter) || author !== undefined)) {
    throw invalidField('sort', 'must be createdAt when filtering by folder, type, tag or author');
  }
};

/**
 * Lists documents the actor can view, without content. Page 1 without a filter, newest first, has a constant cost; that
 * of a search or a filter grows with its matches (those of the narrowest, if filters are combined) and the documents
 * shared with the actor.
 * @throws AppError VALIDATION_ERROR for `cursor`, `page`, a second filter, or a sort order the filter does not support
 */
export const { list, readAhead } = createList<
  IndexEntry,
  DocumentFilter,
  ListedDocument,
  FoundDocument
>({
  name: 'documents',
  keys: documentKeys,
  parseEntry: itemParser('entry of a document', ['pk', 'sk', 'id', 'authorId']),
  isManager,
  counts: visible,
  assertSupported,
  isDirect: ({ folder, type, tag }) =>
    [folder, type, tag].filter((value) => value !== undefined).length < 2,
  select: async (viewer, filter) => {
    if (isFaceted(filter)) return selectFacetedSources(viewer, filter);
    return filter.author === undefined ? undefined : selectAuthorSources(viewer, filter.author);
  },
  parseRecord: toDocument,
  getOwnerId: ({ authorId }) => authorId,
  canView: (actor, document) => document.deletedAt === undefined && canView(actor, document),
  findByText,
  toFound: (document, author, _, { matchedIn }) => ({
    ...{ document, author },
    ...(matchedIn && { matchedIn }),
  }),
});
