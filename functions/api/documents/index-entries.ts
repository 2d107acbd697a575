import { type Key, keys, type ListScope } from '../../../shared/db/table.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { diffIndexEntries } from '../../../shared/lists/index-entries.ts';
import { tokenize, toSortName } from '../../../shared/lists/tokenize.ts';
import type { StoredDocument } from './document.ts';

/** So many words of a title are found at most. */
const maxWords = 20;

/**
 * So many words, tags and readers have places. A change of all of them takes two items for each, of the 100 that one
 * transaction holds: so the words of a title give way to tags and readers.
 */
const maxPlaced = 41;

/** An item that leads to a document, from a list or from a word of its title. */
export interface Place extends Key {
  readonly id: number;
  readonly authorId: number;
  /** What a list by title sorts by. */
  readonly sortTitle?: string;
  /** Every word of the title, each with a space before it, for searches of several. */
  readonly words?: string;
  /** What filters combine. */
  readonly type?: string;
  readonly tags?: readonly string[];
  readonly folder?: string | undefined;
  /** Its place among those of all documents, in the index. */
  readonly gsi1pk?: string;
  readonly gsi1sk?: string;
}

/** The shelf that a document stands on beside that of all; those who see it by way of that one have it on no other. */
const getListScope = ({ visibility, authorId }: StoredDocument): ListScope =>
  visibility === 'everyone' ? 'EVERYONE' : `OF#${authorId}`;

/** The item with the place of the same kind among all documents, in the index, which may lag behind. */
const indexed = (place: Place, { pk, sk }: Key): Place => ({ ...place, gsi1pk: pk, gsi1sk: sk });

const listEntries = (document: StoredDocument): Place[] => {
  const { id, authorId, title, type, tags, folder, deletedAt, sharedWith } = document;
  const base = { id, authorId };
  if (deletedAt !== undefined)
    return [{ ...keys.trashedDocument(authorId, deletedAt, id), ...base }];
  const scope = getListScope(document);
  const isPrivate = scope !== 'EVERYONE';
  const left = maxPlaced - tags.length - sharedWith.length;
  const found = tokenize(title).slice(0, Math.min(maxWords, left));
  const facets = { type, tags, folder };
  const sortTitle = toSortName(title);
  const words = found.map((word) => ` ${word}`).join('');
  return [
    { ...keys.documentById('ALL', id), ...base },
    { ...keys.documentById(scope, id), ...base },
    indexed(
      { ...keys.documentByTitle(scope, sortTitle, id), ...base },
      keys.documentByTitle('ALL', sortTitle, id),
    ),
    ...(folder === undefined
      ? []
      : [
          indexed(
            { ...keys.documentByFolder(scope, folder, id), ...base, ...facets },
            keys.documentByFolder('ALL', folder, id),
          ),
        ]),
    indexed(
      { ...keys.documentByType(scope, type, id), ...base, ...facets },
      keys.documentByType('ALL', type, id),
    ),
    ...tags.map((tag) =>
      indexed(
        { ...keys.documentByTag(scope, tag, id), ...base, ...facets },
        keys.documentByTag('ALL', tag, id),
      ),
    ),
    ...(isPrivate ? [] : [{ ...keys.documentByAuthor(scope, authorId, id), ...base }]),
    ...found.map((word) =>
      indexed(
        { ...keys.documentByWord(scope, word, id), ...base, sortTitle, words },
        keys.documentByWord('ALL', word, id),
      ),
    ),
    // One item for a reader, so that a document can be shared with many in one transaction: it is filtered and sorted when read.
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
 * The writes that bring a document's places from `before` to `after`, for the transaction that makes, changes or removes
 * the document: none for what stays as it is.
 */
export const indexWrites = (
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
): Readonly<Record<string, Write>> =>
  diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []);
