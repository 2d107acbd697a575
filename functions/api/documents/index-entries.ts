import { foldName } from '../../../shared/lists/names.ts';
import { tokenize } from '../../../shared/lists/tokenize.ts';
import {
  createEntry,
  getAllScope,
  getListScope,
  getReaders,
  type ListEntry,
} from '../../../shared/records/index-entries.ts';
import { toSortName } from '../../../shared/text/sort-name.ts';
import type { ListedDocument, StoredDocument } from './document.ts';
import { documentKeys } from './keys.ts';

/**
 * The number of words, tags and readers with index entries. Changing all of them takes two writes each, of the 100 in a
 * transaction; tags and readers take precedence over words, of which those at the start of the title do.
 */
const maxVariableEntries = 41;

/** An item by which a list or a search finds a document. */
export interface IndexEntry extends ListEntry {
  readonly authorId: number;
  /** Attributes for combined filters. */
  readonly type?: string;
  readonly tags?: readonly string[];
  readonly folder?: string | undefined;
}

/** An entry that has all that lists show: one by creation in its scope, or in the trash. */
export type WholeEntry = IndexEntry & ListedDocument;

/** Returns the parts of a key by name. */
export const named = (name: string) => ({ name, folded: foldName(name) });

/**
 * Creates the index entries of a document. Where a user's list by creation is read, they are whole, so that a page takes no
 * read of each record. Those of other lists, of readers and for managers are not: each change of the document would write
 * them, too.
 */
export const listEntries = (document: StoredDocument): readonly IndexEntry[] => {
  const { id, authorId, title, type, tags, folder, deletedAt, sharedWith } = document;
  const base = { id, authorId };
  const { texts, editing, revisedAt, ...shown } = document;
  if (deletedAt !== undefined) {
    return [{ ...documentKeys.trashed.at({ authorId, deletedAt, id }), ...shown }];
  }
  const scope = getListScope(document.visibility, authorId);
  const maxWords = maxVariableEntries - tags.length - sharedWith.length;
  const titleWords = tokenize(title).slice(0, maxWords);
  const sortName = toSortName(title);
  const searched = { ...base, sortName, words: titleWords.map((word) => ` ${word}`).join('') };
  const facets = { type, tags, folder };
  const faceted = { ...base, ...facets };
  const { byId, byName, byFolder, byType, byTag, byAuthor, byWord } = documentKeys;
  return [
    { ...byId.at({ list: getAllScope(id), id }), ...base },
    { ...byId.at({ list: scope, id }), ...shown },
    createEntry(scope, (list) => byName.at({ list, sortName, id }), base),
    ...(folder === undefined
      ? []
      : [createEntry(scope, (list) => byFolder.at({ list, ...named(folder), id }), faceted)]),
    createEntry(scope, (list) => byType.at({ list, ...named(type), id }), faceted),
    ...tags.map((tag) =>
      createEntry(scope, (list) => byTag.at({ list, ...named(tag), id }), faceted),
    ),
    ...(scope === 'EVERYONE' ? [{ ...byAuthor.at({ list: scope, authorId, id }), ...base }] : []),
    ...titleWords.map((word) =>
      createEntry(scope, (list) => byWord.at({ list, word, id }), searched),
    ),
    ...getReaders(document).map((userId) => ({
      ...byId.at({ list: `SHARED#${userId}`, id }),
      ...searched,
      ...facets,
    })),
  ];
};
