import { type Key, keys, type ListScope } from '../../../shared/db/table.ts';
import { named, type Write } from '../../../shared/db/transaction.ts';
import { diffIndexEntries } from '../../../shared/lists/index-entries.ts';
import { tokenize, toSortName } from '../../../shared/lists/tokenize.ts';
import type { StoredDocument } from './document.ts';

/** The number of words of a title that can be searched for. */
const maxWords = 20;

/**
 * The number of words, tags and readers with index entries. Changing all of them takes two writes each, of the 100 in a
 * transaction; tags and readers take precedence over words.
 */
const maxVariableEntries = 41;

/** An item by which a list or a search finds a document. */
export interface IndexEntry extends Key {
  readonly id: number;
  readonly authorId: number;
  /** The title as lists sort it. */
  readonly sortTitle?: string;
  /** All words of the title, each after a space, for searches of several words. */
  readonly words?: string;
  /** Attributes for combined filters. */
  readonly type?: string;
  readonly tags?: readonly string[];
  readonly folder?: string | undefined;
  /** Key of the entry for the `ALL` scope, in the index. */
  readonly gsi1pk?: string;
  readonly gsi1sk?: string;
}

/** Returns the scope of a document besides ALL. A public document has no entries in its author's or readers' scopes. */
const getListScope = ({ visibility, authorId }: StoredDocument): ListScope =>
  visibility === 'everyone' ? 'EVERYONE' : `OF#${authorId}`;

/** Adds the entry for all documents, in the index, which is eventually consistent. */
const withIndexKey = (entry: IndexEntry, { pk, sk }: Key): IndexEntry => ({
  ...entry,
  gsi1pk: pk,
  gsi1sk: sk,
});

const listEntries = (document: StoredDocument): IndexEntry[] => {
  const { id, authorId, title, type, tags, folder, deletedAt, sharedWith } = document;
  const base = { id, authorId };
  if (deletedAt !== undefined)
    return [{ ...keys.trashedDocument(authorId, deletedAt, id), ...base }];
  const scope = getListScope(document);
  const isPrivate = scope !== 'EVERYONE';
  const maxTitleWords = maxVariableEntries - tags.length - sharedWith.length;
  const titleWords = tokenize(title).slice(0, Math.min(maxWords, maxTitleWords));
  const facets = { type, tags, folder };
  const sortTitle = toSortName(title);
  const words = titleWords.map((word) => ` ${word}`).join('');
  return [
    { ...keys.documentById('ALL', id), ...base },
    { ...keys.documentById(scope, id), ...base },
    withIndexKey(
      { ...keys.documentByTitle(scope, sortTitle, id), ...base },
      keys.documentByTitle('ALL', sortTitle, id),
    ),
    ...(folder === undefined
      ? []
      : [
          withIndexKey(
            { ...keys.documentByFolder(scope, folder, id), ...base, ...facets },
            keys.documentByFolder('ALL', folder, id),
          ),
        ]),
    withIndexKey(
      { ...keys.documentByType(scope, type, id), ...base, ...facets },
      keys.documentByType('ALL', type, id),
    ),
    ...tags.map((tag) =>
      withIndexKey(
        { ...keys.documentByTag(scope, tag, id), ...base, ...facets },
        keys.documentByTag('ALL', tag, id),
      ),
    ),
    ...(isPrivate ? [] : [{ ...keys.documentByAuthor(scope, authorId, id), ...base }]),
    ...titleWords.map((word) =>
      withIndexKey(
        { ...keys.documentByWord(scope, word, id), ...base, sortTitle, words },
        keys.documentByWord('ALL', word, id),
      ),
    ),
    // A single entry per reader lets one transaction share a document with many; lists filter and sort these on reading.
    ...(isPrivate ? sharedWith : []).map((userId) => ({
      ...keys.documentById(`SHARED#${userId}`, id),
      ...base,
      sortTitle,
      words,
      ...facets,
    })),
  ];
};

/**
 * Creates the writes that change a document's index entries from `before` to `after`, for the transaction that writes the
 * document.
 */
export const indexWrites = (
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
): Readonly<Record<string, Write>> =>
  named(
    'place',
    diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []),
  );
