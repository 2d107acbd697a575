import { batchGet } from '../../../shared/db/dynamodb.ts';
import { type ListKey, partitionQuery } from '../../../shared/db/query.ts';
import type {
  ArchiveEntry,
  ArchiveNotes,
  ArchiveSection,
} from '../../../shared/exports/archive-entry.ts';
import { createJsonList } from '../../../shared/exports/archive-lines.ts';
import { readPages } from '../../../shared/exports/archive-pages.ts';
import { toArchiveName, toUniquePath } from '../../../shared/exports/archive-path.ts';
import { isCompressedType } from '../../../shared/share-files/compressed-types.ts';
import { streamObject } from '../../../shared/storage/stream-object.ts';
import { isFolder, isReady, type StoredFile } from './record/file.ts';
import { toFile } from './record/files.ts';
import { type FolderTree, folderPath, toTree } from './record/folders.ts';
import { fileKeys } from './record/keys.ts';

/** How many entries of a folder are read at once. */
const pageSize = 100;

/** Reads the files of entries as they are now, without those that are no longer the owner's. */
const readFiles = async (items: readonly ListKey[], ownerId: number): Promise<StoredFile[]> => {
  const found = await batchGet(items.map(({ id }) => fileKeys.record.at({ id: id as number })));
  return found.map(toFile).filter((file) => file?.ownerId === ownerId) as StoredFile[];
};

/** What `files.json` says of a file. */
const describe = (file: StoredFile, tree: FolderTree, path: string) => ({
  path,
  name: file.name,
  folder: folderPath(tree, file.folderId).join('/') || null,
  size: file.size,
  checksum: file.checksum ?? null,
  mimeType: file.mimeType ?? null,
  isFavorite: file.isFavorite,
  visibility: file.visibility,
  sharedWith: file.sharedWith,
  id: file.id,
  createdAt: file.createdAt,
  updatedAt: file.updatedAt,
  version: file.version,
  ...(file.deletedAt !== undefined && { deletedAt: file.deletedAt }),
});

/** Writes a file; `undefined` if its content was deleted meanwhile. */
const writeFile = async (
  { object, mimeType = '', updatedAt: modifiedAt }: StoredFile,
  path: string,
  notes: ArchiveNotes,
): Promise<ArchiveEntry | undefined> => {
  // Nothing is written of what can't be read: an entry that has begun can't be taken back.
  const opened = object === undefined ? undefined : await streamObject(object);
  if (!opened) {
    notes.leftOut(`${path}: it was deleted meanwhile.`);
    return undefined;
  }
  return { path, modifiedAt, isCompressed: isCompressedType(mimeType), ...opened };
};

/** Returns the folders of a user by id, outer ones first, each with its path in the archive. */
const placeFolders = (tree: FolderTree): ReadonlyMap<number, string> => {
  const ids = Object.keys(tree.folders)
    .map(Number)
    .toSorted((a, b) => folderPath(tree, a).length - folderPath(tree, b).length || a - b);
  const taken = new Set<string>();
  const places = new Map<number, string>();
  for (const id of ids) {
    const { name = '', parent } = tree.folders[id] ?? {};
    const outer = parent === undefined ? 'files' : (places.get(parent) ?? 'files');
    // Without an ending, which would be kept apart.
    places.set(id, toUniquePath(`${outer}/${toArchiveName(name, 'folder')}`, taken));
  }
  return places;
};

/** The list of the files of an archive, as it grows. */
type FileList = ReturnType<typeof createJsonList>;

interface Walk {
  readonly ownerId: number;
  readonly tree: FolderTree;
  readonly places: ReadonlyMap<number, string>;
  readonly list: FileList;
  readonly notes: ArchiveNotes;
}

async function* writeFolder(
  { ownerId, tree, places, list, notes }: Walk,
  folderId: number | undefined,
): AsyncGenerator<ArchiveEntry> {
  const place = folderId === undefined ? 'files' : places.get(folderId);
  // Of the folders, only those within this one matter, but names of others do no harm.
  const taken = new Set([...places.values()].map((path) => path.toLowerCase()));
  const partition = fileKeys.inFolderByName.partition({ ownerId, folderId });
  for await (const items of readPages(partitionQuery(partition, false), pageSize)) {
    for (const file of await readFiles(items, ownerId)) {
      if (isFolder(file) || !isReady(file)) continue;
      const path = toUniquePath(`${place}/${toArchiveName(file.name, 'file')}`, taken);
      const entry = await writeFile(file, path, notes);
      if (!entry) continue;
      list.add(describe(file, tree, path));
      yield entry;
    }
  }
}

async function* writeTrash({ ownerId, tree, list, notes }: Walk): AsyncGenerator<ArchiveEntry> {
  const partition = fileKeys.trashed.partition({ ownerId });
  for await (const items of readPages(partitionQuery(partition, false), pageSize)) {
    for (const file of await readFiles(items, ownerId)) {
      if (file.status !== 'trashed') continue;
      const path = `trash/files/${file.id}-${toArchiveName(file.name, 'file')}`;
      const entry = await writeFile(file, path, notes);
      if (!entry) continue;
      list.add(describe(file, tree, path));
      yield entry;
    }
  }
}

async function* writeList(tree: FolderTree, list: FileList): AsyncGenerator<Uint8Array> {
  const folders = Object.keys(tree.folders).map((id) => folderPath(tree, Number(id)).join('/'));
  yield Buffer.from(`{"folders":${JSON.stringify(folders.toSorted())},\n"files":`);
  yield* list.read();
  yield Buffer.from('}\n');
}

/** A user's files in their folders, and those in the trash. `files.json` has their names as they were. */
export const section: ArchiveSection = {
  name: 'files',
  async *entries({ user }, notes) {
    const [item] = await batchGet([fileKeys.folders.at({ userId: user.id })]);
    const tree = toTree(item);
    const places = placeFolders(tree);
    const walk = { ownerId: user.id, tree, places, list: createJsonList(), notes };
    yield* writeFolder(walk, undefined);
    for (const folderId of places.keys()) yield* writeFolder(walk, folderId);
    yield* writeTrash(walk);
    yield { path: 'files.json', content: writeList(tree, walk.list) };
  },
};
