import type { Key, ListScope } from '../../../shared/db/key.ts';
import { named, type Write } from '../../../shared/db/transaction.ts';
import { diffIndexEntries } from '../../../shared/lists/index-entries.ts';
import { tokenize, toSortName } from '../../../shared/lists/tokenize.ts';
import type { StoredDocument } from './document.ts';
import { documentKeys } from './keys.ts';

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
    return [{ ...documentKeys.trashed.at({ authorId, deletedAt, id }), ...base }];
  const scope = getListScope(document);
  const isPrivate = scope !== 'EVERYONE';
  const maxTitleWords = maxVariableEntries - tags.length - sharedWith.length;
  const titleWords = tokenize(title).slice(0, Math.min(maxWords, maxTitleWords));
  const facets = { type, tags, folder };
  const sortTitle = toSortName(title);
  const words = titleWords.map((word) => ` ${word}`).join('');
  return [
    { ...documentKeys.byId.at({ list: 'ALL', id }), ...base },
    { ...documentKeys.byId.at({ list: scope, id }), ...base },
    withIndexKey(
      { ...documentKeys.byTitle.at({ list: scope, sortTitle, id }), ...base },
      documentKeys.byTitle.at({ list: 'ALL', sortTitle, id }),
    ),
    ...(folder === undefined
      ? []
      : [
          withIndexKey(
            { ...documentKeys.byFolder.at({ list: scope, folder, id }), ...base, ...facets },
            documentKeys.byFolder.at({ list: 'ALL', folder, id }),
          ),
        ]),
    withIndexKey(
      { ...documentKeys.byType.at({ list: scope, type, id }), ...base, ...facets },
      documentKeys.byType.at({ list: 'ALL', type, id }),
    ),
    ...tags.map((tag) =>
      withIndexKey(
        { ...documentKeys.byTag.at({ list: scope, tag, id }), ...base, ...facets },
        documentKeys.byTag.at({ list: 'ALL', tag, id }),
      ),
    ),
    ...(isPrivate ? [] : [{ ...documentKeys.byAuthor.at({ list: scope, authorId, id }), ...base }]),
    ...titleWords.map((word) =>
      withIndexKey(
        { ...documentKeys.byWord.at({ list: scope, word, id }), ...base, sortTitle, words },
        documentKeys.byWord.at({ list: 'ALL', word, id }),
      ),
    ),
    // A single entry per reader lets one transaction share a document with many; lists filter and sort these on reading.
    ...(isPrivate ? sharedWith : []).map((userId) => ({
      ...documentKeys.byId.at({ list: `SHARED#${userId}`, id }),
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
