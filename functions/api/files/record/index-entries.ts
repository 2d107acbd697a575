import { type Key, keys, type ListScope } from '../../../../shared/db/table.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { diffIndexEntries } from '../../../../shared/lists/index-entries.ts';
import { tokenize, toSortName } from '../../../../shared/lists/tokenize.ts';
import { type FileType, isFolder, type StoredFile } from './file.ts';

/** So many words of a name are found: both names' words and 20 readers have to fit into one transaction. */
const maxWords = 12;

/** An item that leads to a file, from a list or from a word of its name. */
export interface Place extends Key {
  readonly id: number;
  readonly ownerId: number;
  /** What a list by name sorts by. */
  readonly sortName?: string;
  /** Every word of the name, each with a space before it, for searches of several. */
  readonly words?: string;
  readonly type?: FileType;
  /** Its place among those of all files, or among the ends of uploads, in the index. */
  readonly gsi1pk?: string;
  readonly gsi1sk?: string;
}

/** The shelf that a file stands on beside that of all; those who see it by way of that one have it on no other. */
const getListScope = ({ visibility, ownerId }: StoredFile): ListScope =>
  visibility === 'everyone' ? 'EVERYONE' : `OF#${ownerId}`;

/** The item with a place in the index, which may lag behind. */
const indexed = (place: Place, { pk, sk }: Key): Place => ({ ...place, gsi1pk: pk, gsi1sk: sk });

const listEntries = (file: StoredFile): Place[] => {
  const { id, ownerId, name, type, folderId, status, sharedWith, completeBy } = file;
  const base = { id, ownerId };
  if (status === 'removed') return [];
  if (status === 'uploading') {
    const ends = keys.fileUploadEnds(completeBy ?? '', id);
    return [indexed({ ...keys.fileUpload(ownerId, id), ...base }, ends)];
  }
  const scope = getListScope(file);
  const found = tokenize(name).slice(0, maxWords);
  const sortName = toSortName(name);
  const words = found.map((word) => ` ${word}`).join('');
  const kind = isFolder(file) ? 'folder' : 'file';
  return [
    { ...keys.fileById('ALL', id), ...base },
    { ...keys.fileById(scope, id), ...base },
    indexed(
      { ...keys.fileByName(scope, sortName, id), ...base },
      keys.fileByName('ALL', sortName, id),
    ),
    indexed({ ...keys.fileByType(scope, type, id), ...base }, keys.fileByType('ALL', type, id)),
    { ...keys.fileInFolder(ownerId, folderId, id), ...base },
    { ...keys.fileInFolderByName(ownerId, folderId, kind, sortName, id), ...base },
    ...(scope === 'EVERYONE' ? [{ ...keys.publicFile(ownerId, id), ...base }] : []),
    ...(file.isFavorite ? [{ ...keys.favoriteFile(ownerId, id), ...base, sortName }] : []),
    ...found.map((word) =>
      indexed(
        { ...keys.fileByWord(scope, word, id), ...base, sortName, words },
        keys.fileByWord('ALL', word, id),
      ),
    ),
    // One item for a reader, so that a file can be shared with many in one transaction: it is filtered and sorted when read.
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
 * The writes that bring a file's places from `before` to `after`, for the transaction that makes, changes or removes the
 * file: none for what stays as it is.
 */
export const indexWrites = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Readonly<Record<string, Write>> =>
  diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []);
