import { type Key, keys, type ListScope } from '../../../../shared/db/table.ts';
import { named, type Write } from '../../../../shared/db/transaction.ts';
import { diffIndexEntries } from '../../../../shared/lists/index-entries.ts';
import { tokenize, toSortName } from '../../../../shared/lists/tokenize.ts';
import { type FileType, isFolder, type StoredFile } from './file.ts';

/** The number of words of a name that can be searched for. Those of two names and 20 readers fit into a transaction. */
const maxWords = 12;

/** An item by which a list or a search finds a file. */
export interface IndexEntry extends Key {
  readonly id: number;
  readonly ownerId: number;
  /** The name as lists sort it. */
  readonly sortName?: string;
  /** All words of the name, each after a space, for searches of several words. */
  readonly words?: string;
  readonly type?: FileType;
  /** Key of the entry for the `ALL` scope, or for the ends of uploads, in the index. */
  readonly gsi1pk?: string;
  readonly gsi1sk?: string;
}

/** Returns the scope of a file besides ALL. A public file has no entries in its owner's or readers' scopes. */
const getListScope = ({ visibility, ownerId }: StoredFile): ListScope =>
  visibility === 'everyone' ? 'EVERYONE' : `OF#${ownerId}`;

/** Adds the entry's key in the index, which is eventually consistent. */
const withIndexKey = (entry: IndexEntry, { pk, sk }: Key): IndexEntry => ({
  ...entry,
  gsi1pk: pk,
  gsi1sk: sk,
});

const listEntries = (file: StoredFile): IndexEntry[] => {
  const { id, ownerId, name, type, folderId, status, sharedWith, completeBy } = file;
  const base = { id, ownerId };
  if (status === 'removed') return [];
  if (status === 'uploading') {
    const ends = keys.fileUploadEnds(completeBy ?? '', id);
    return [withIndexKey({ ...keys.fileUpload(ownerId, id), ...base }, ends)];
  }
  const scope = getListScope(file);
  const nameWords = tokenize(name).slice(0, maxWords);
  const sortName = toSortName(name);
  const words = nameWords.map((word) => ` ${word}`).join('');
  const kind = isFolder(file) ? 'folder' : 'file';
  return [
    { ...keys.fileById('ALL', id), ...base },
    { ...keys.fileById(scope, id), ...base },
    withIndexKey(
      { ...keys.fileByName(scope, sortName, id), ...base },
      keys.fileByName('ALL', sortName, id),
    ),
    withIndexKey(
      { ...keys.fileByType(scope, type, id), ...base },
      keys.fileByType('ALL', type, id),
    ),
    { ...keys.fileInFolder(ownerId, folderId, id), ...base },
    { ...keys.fileInFolderByName(ownerId, folderId, kind, sortName, id), ...base },
    ...(scope === 'EVERYONE' ? [{ ...keys.publicFile(ownerId, id), ...base }] : []),
    ...(file.isFavorite ? [{ ...keys.favoriteFile(ownerId, id), ...base, sortName }] : []),
    ...nameWords.map((word) =>
      withIndexKey(
        { ...keys.fileByWord(scope, word, id), ...base, sortName, words },
        keys.fileByWord('ALL', word, id),
      ),
    ),
    // A single entry per reader lets one transaction share a file with many; lists filter and sort these on reading.
    ...(scope === 'EVERYONE' ? [] : sharedWith).map((userId) => ({
      ...keys.fileById(`SHARED#${userId}`, id),
      ...base,
      sortName,
      words,
      type,
    })),
  ];
};

/**
 * Creates the writes that change a file's index entries from `before` to `after`, for the transaction that writes the
 * file.
 */
export const indexWrites = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Readonly<Record<string, Write>> =>
  named(
    'place',
    diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []),
  );
