import type { Key, ListScope } from '../../../../shared/db/key.ts';
import { named, type Write } from '../../../../shared/db/transaction.ts';
import { diffIndexEntries } from '../../../../shared/lists/index-entries.ts';
import { tokenize, toSortName } from '../../../../shared/lists/tokenize.ts';
import { type FileType, isFolder, type StoredFile } from './file.ts';
import { fileKeys } from './keys.ts';

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
    const ends = fileKeys.uploadEnds.at({ at: completeBy ?? '', id });
    return [withIndexKey({ ...fileKeys.upload.at({ ownerId, id }), ...base }, ends)];
  }
  const scope = getListScope(file);
  const nameWords = tokenize(name).slice(0, maxWords);
  const sortName = toSortName(name);
  const words = nameWords.map((word) => ` ${word}`).join('');
  const kind = isFolder(file) ? 'folder' : 'file';
  return [
    { ...fileKeys.byId.at({ list: 'ALL', id }), ...base },
    { ...fileKeys.byId.at({ list: scope, id }), ...base },
    withIndexKey(
      { ...fileKeys.byName.at({ list: scope, sortName, id }), ...base },
      fileKeys.byName.at({ list: 'ALL', sortName, id }),
    ),
    withIndexKey(
      { ...fileKeys.byType.at({ list: scope, type, id }), ...base },
      fileKeys.byType.at({ list: 'ALL', type, id }),
    ),
    { ...fileKeys.inFolder.at({ ownerId, folderId, id }), ...base },
    {
      ...fileKeys.inFolderByName.at({
        ownerId,
        folderId,
        rank: kind === 'folder' ? '0' : '1',
        sortName,
        id,
      }),
      ...base,
    },
    ...(scope === 'EVERYONE' ? [{ ...fileKeys.public.at({ ownerId, id }), ...base }] : []),
    ...(file.isFavorite ? [{ ...fileKeys.favorite.at({ ownerId, id }), ...base, sortName }] : []),
    ...nameWords.map((word) =>
      withIndexKey(
        { ...fileKeys.byWord.at({ list: scope, word, id }), ...base, sortName, words },
        fileKeys.byWord.at({ list: 'ALL', word, id }),
      ),
    ),
    // A single entry per reader lets one transaction share a file with many; lists filter and sort these on reading.
    ...(scope === 'EVERYONE' ? [] : sharedWith).map((userId) => ({
      ...fileKeys.byId.at({ list: `SHARED#${userId}`, id }),
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
