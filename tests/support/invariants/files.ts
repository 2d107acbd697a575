import { isFolder, isReady, type StoredFile } from '../../../functions/api/files/record/file.ts';
import { toTree } from '../../../functions/api/files/record/folders.ts';
import { listEntries } from '../../../functions/api/files/record/index-entries.ts';
import { fileKeys } from '../../../functions/api/files/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { storageKeys } from '../../../shared/storage/keys.ts';
import { countShareBytes } from './share-files.ts';
import { compare, differs, type Stored } from './stored.ts';

const filesIn = (stored: Stored): StoredFile[] => stored.listed(/^FILE#/, /^FILE$/);

const isEveryones = ({ visibility }: StoredFile): boolean => visibility === 'everyone';

/** Counters of a user: visible files except public ones, and storage usage. */
const ofUser = (stored: Stored, files: readonly StoredFile[], userId: number): string[] => {
  const seen = files.filter(
    (file) =>
      isReady(file) && !isEveryones(file) && [file.ownerId, ...file.sharedWith].includes(userId),
  );
  const held = files.filter(
    (file) => file.ownerId === userId && file.status !== 'removed' && !isFolder(file),
  );
  const trashed = held.filter(({ status }) => status === 'trashed');
  const counters = stored.in(userKeys.record.at({ id: userId }), /^FILES#\d+$/);
  const usage = stored.get(storageKeys.usage.at({ userId }));
  const { folders } = toTree(stored.get(fileKeys.folders.at({ userId })));
  const own = files.filter((file) => file.ownerId === userId && isFolder(file) && isReady(file));
  const isListed =
    String(Object.keys(folders).toSorted()) === String(own.map(({ id }) => String(id)).toSorted());
  return [
    ...(isListed ? [] : [`files: the folders of ${userId} are others than those of the tree`]),
    ...differs(`files seen by ${userId}`, stored.sum(counters, 'seen'), seen.length),
    ...differs(`trashed files of ${userId}`, stored.sum(counters, 'trashed'), trashed.length),
    ...differs(
      `trashed bytes of ${userId}`,
      Number(usage?.['trashed'] ?? 0),
      trashed.reduce((sum, { size }) => sum + size, 0),
    ),
    ...differs(`files of ${userId}`, Number(usage?.['files'] ?? 0), held.filter(isReady).length),
    ...differs(
      `bytes of ${userId}`,
      Number(usage?.['used'] ?? 0),
      held.reduce((sum, { size }) => sum + size, countShareBytes(stored, userId)),
    ),
  ];
};

/** Returns the readers of a file. Those of a public file, and of one in the trash, have no effect. */
const readersOf = ({ visibility, sharedWith, status }: StoredFile): readonly number[] =>
  visibility === 'everyone' || status !== 'ready' ? [] : sharedWith;

const usersOf = (stored: Stored, files: readonly StoredFile[]): number[] => {
  const counted = stored.of(/^USER#/, /^FILES#/).map(({ pk }) => Number(pk.split('#')[1]));
  const named = files.flatMap((file) => [file.ownerId, ...readersOf(file)]);
  return [...new Set([...counted, ...named])].filter((userId) => !stored.unsettled.has(userId));
};

/** Each thumbnail has its image, and each image that says it has one has it. */
const ofThumbnails = (stored: Stored, files: readonly StoredFile[]): string[] => {
  const wanted = files
    .filter(({ hasThumbnail, status }) => hasThumbnail && status !== 'removed')
    .map(({ id }) => fileKeys.thumbnail.at({ id }).pk);
  const found = stored.of(/^FILE#/, /^THUMBNAIL$/).map(({ pk }) => pk);
  const isSame = String(wanted.toSorted()) === String(found.toSorted());
  return isSame ? [] : [`files: thumbnails of ${found}, but records say ${wanted}`];
};

/** Checks that each file is in every list that shows it, and that counts and usage match. */
export const ofFiles = (stored: Stored): string[] => {
  const files = filesIn(stored);
  const places = files.flatMap(listEntries);
  const ready = files.filter(isReady);
  const users = usersOf(stored, files);
  return [
    ...compare('files', places, stored.of(/^FILES(#(?!EVERYONE#COUNTS$)|$)/)),
    ...users
      .filter((user) => !stored.get(userKeys.record.at({ id: user })))
      .map((user) => `files: ${user} is named, who is not there`),
    ...differs('files', stored.total('files'), ready.length),
    ...differs(
      'files of everyone',
      stored.sum(stored.in(fileKeys.publicCounts.partition(), /^/), 'seen'),
      ready.filter(isEveryones).length,
    ),
    ...ofThumbnails(stored, files),
    ...users.flatMap((userId) => ofUser(stored, files, userId)),
  ];
};

/** Returns the objects that must exist, and those that may, because they are being uploaded or deleted. */
export const objectsOfFiles = (stored: Stored) => {
  const objects = filesIn(stored).flatMap((file) =>
    file.object === undefined
      ? []
      : [{ key: file.object, isWanted: isReady(file) || file.status === 'trashed' }],
  );
  return {
    wanted: objects.filter(({ isWanted }) => isWanted).map(({ key }) => key),
    known: objects.map(({ key }) => key),
  };
};
