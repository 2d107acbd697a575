import { tokenize } from '../../../../shared/lists/tokenize.ts';
import {
  createEntry,
  getAllScope,
  getListScope,
  getReaders,
  type ListEntry,
} from '../../../../shared/records/index-entries.ts';
import { toSortName } from '../../../../shared/text/sort-name.ts';
import { type FileType, isFolder, type ListedFile, type StoredFile } from './file.ts';
import { fileKeys } from './keys.ts';

/**
 * The number of words of a name that can be searched for, those at its start: 32 up to 6 readers, 12 from 16 on. Replacing
 * all words takes two writes each and replacing all readers four, of the 100 in a transaction.
 */
const countWords = (readers: number): number => Math.min(32, Math.max(12, 44 - 2 * readers));

/** An item by which a list or a search finds a file. */
export interface IndexEntry extends ListEntry {
  readonly ownerId: number;
  readonly type?: FileType;
}

/** An entry that has all that lists show: one by creation in its scope, or in the trash. */
export type WholeEntry = IndexEntry & ListedFile;

/** Creates the index entries of a file, of which a user's list by creation reads whole ones, as that of documents. */
export const listEntries = (file: StoredFile): readonly IndexEntry[] => {
  const { id, ownerId, name, type, folderId, status, completeBy = '', deletedAt = '' } = file;
  const base = { id, ownerId };
  if (status === 'removed') return [];
  if (status === 'uploading') {
    const { pk, sk } = fileKeys.uploadEnds.at({ at: completeBy, id });
    return [{ ...fileKeys.upload.at(base), ...base, gsi1pk: pk, gsi1sk: sk }];
  }
  const { object, uploadBy, completeBy: _, copyKey, copyLeaseUntil, ...shown } = file;
  if (status === 'trashed') {
    return [{ ...fileKeys.trashed.at({ ownerId, deletedAt, id }), ...shown }];
  }
  const scope = getListScope(file.visibility, ownerId);
  const nameWords = tokenize(name).slice(0, countWords(file.sharedWith.length));
  const sortName = toSortName(name);
  const searched = { ...base, sortName, words: nameWords.map((word) => ` ${word}`).join('') };
  const inFolder = { ownerId, folderId, id };
  const rank = isFolder(file) ? '0' : '1';
  const { byId, byName, byType, byWord } = fileKeys;
  return [
    { ...byId.at({ list: getAllScope(id), id }), ...base },
    { ...byId.at({ list: scope, id }), ...shown },
    createEntry(scope, (list) => byName.at({ list, sortName, id }), base),
    createEntry(scope, (list) => byType.at({ list, type, id }), base),
    { ...fileKeys.inFolder.at(inFolder), ...base },
    { ...fileKeys.inFolderByName.at({ ...inFolder, rank, sortName }), ...base },
    ...(scope === 'EVERYONE' ? [{ ...fileKeys.public.at(base), ...base }] : []),
    ...(file.isFavorite ? [{ ...fileKeys.favorite.at(base), ...base, sortName }] : []),
    ...nameWords.map((word) =>
      createEntry(scope, (list) => byWord.at({ list, word, id }), searched),
    ),
    ...getReaders(file).map((userId) => ({
      ...byId.at({ list: `SHARED#${userId}`, id }),
      ...searched,
      type,
    })),
  ];
};
