import { tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { isFolder, type StoredFile } from './file.ts';

/** A folder among its owner's: in which other it lies, if in any. */
interface Folder {
  readonly name: string;
  readonly parent?: number;
}

/**
 * All folders of a user, in one item: whose names lead to a file is known in one read, and a folder is renamed or moved
 * in one write, whatever lies in it.
 */
export interface FolderTree {
  readonly version: number;
  readonly folders: Readonly<Record<string, Folder>>;
}

/** So many folders fit into the item, whatever they are called within so many characters. */
export const maxFolders = 500;
export const maxFolderName = 100;
export const maxDepth = 10;

const folderConflict = (field: string, detail: string, message: string) =>
  new AppError('CONFLICT', message, { details: [{ field, message: detail }] });

/** The tree of an item of the table; a user without folders has none. */
export const toTree = (item: Record<string, unknown> | undefined): FolderTree =>
  item === undefined ? { version: 0, folders: {} } : (item as unknown as FolderTree);

/** The names of the folders that lead to one, the outermost first; `[]` for none, and for what is no folder of the tree. */
export const folderPath = ({ folders }: FolderTree, id: number | undefined): string[] => {
  const names: string[] = [];
  let at = id;
  while (at !== undefined && names.length <= maxDepth) {
    const folder: Folder | undefined = folders[at];
    if (!folder) break;
    names.unshift(folder.name);
    at = folder.parent;
  }
  return names;
};

const findChild = (
  { folders }: FolderTree,
  parent: number | undefined,
  name: string,
): number | undefined => {
  const found = Object.entries(folders).find(
    ([, folder]) => folder.parent === parent && folder.name === name,
  );
  return found && Number(found[0]);
};

/**
 * The folder at a path such as `Photos/2026`; `undefined` for an empty path, which is that of no folder. Slashes at its
 * ends make no difference.
 * @throws AppError VALIDATION_ERROR about `folder` where there is none
 */
export const findFolder = (tree: FolderTree, path: string): number | undefined => {
  let at: number | undefined;
  for (const name of path.split('/').filter((part) => part !== '')) {
    at = findChild(tree, at, name);
    if (at === undefined) throw invalidField('folder', 'must be the path of one of your folders');
  }
  return at;
};

/** Is a folder in the tree? It is not while the folders of its owner are being handed to another user. */
export const isInTree = ({ folders }: FolderTree, file: StoredFile): boolean =>
  !isFolder(file) || folders[file.id] !== undefined;

const isWithin = ({ folders }: FolderTree, id: number | undefined, outer: number): boolean => {
  let at = id;
  for (let depth = 0; at !== undefined && depth <= maxDepth; depth++) {
    if (at === outer) return true;
    at = folders[at]?.parent;
  }
  return false;
};

/** How many folders below a folder its innermost one is. */
const measureHeight = ({ folders }: FolderTree, id: number): number => {
  const inner = Object.keys(folders).filter((one) => folders[one]?.parent === id);
  return inner.length === 0
    ? 0
    : 1 + Math.max(...inner.map((one) => measureHeight({ version: 0, folders }, Number(one))));
};

/**
 * The tree with a folder that is new, has another name or lies elsewhere.
 * @throws AppError CONFLICT where its name is taken, it would lie in itself, or there would be too many
 */
export const withFolder = (tree: FolderTree, { id, name, folderId }: StoredFile): FolderTree => {
  const { [id]: former, ...others } = tree.folders;
  const taken = findChild(tree, folderId, name);
  if (taken !== undefined && taken !== id) {
    throw folderConflict(
      'name',
      'is already used by another folder',
      'A folder with this name already exists.',
    );
  }
  if (isWithin(tree, folderId, id)) {
    throw folderConflict(
      'folder',
      'must not be in the folder itself',
      'A folder can’t be moved into itself.',
    );
  }
  if (!former && Object.keys(others).length >= maxFolders) {
    throw folderConflict(
      'name',
      `exceeds the limit of ${maxFolders} folders`,
      `Folder limit (${maxFolders}) reached.`,
    );
  }
  const height = former ? measureHeight(tree, id) : 0;
  if (folderPath(tree, folderId).length + 1 + height > maxDepth) {
    throw folderConflict(
      'folder',
      `must be nested at most ${maxDepth} levels deep`,
      `Folders can be nested ${maxDepth} levels deep.`,
    );
  }
  const folder = { name, ...(folderId !== undefined && { parent: folderId }) };
  return { version: tree.version + 1, folders: { ...others, [id]: folder } };
};

const withoutFolder = ({ version, folders }: FolderTree, id: number): FolderTree => {
  const { [id]: _, ...others } = folders;
  return { version: version + 1, folders: others };
};

const findFreeName = (tree: FolderTree, name: string): string => {
  let free = name;
  for (let n = 2; findChild(tree, undefined, free) !== undefined; n++) free = `${name} (${n})`;
  return free;
};

/**
 * The tree with the folders of another one, as they lie there; an outermost one gets another name where its own is taken.
 * What would be too many is left out, the innermost first.
 */
export const mergeFolders = (tree: FolderTree, other: FolderTree): FolderTree => {
  const depthOf = (id: string) => folderPath(other, Number(id)).length;
  const outermostFirst = Object.keys(other.folders).sort((a, b) => depthOf(a) - depthOf(b));
  const folders: Record<string, Folder> = { ...tree.folders };
  for (const id of outermostFirst) {
    const folder = other.folders[id];
    if (!folder || Object.keys(folders).length >= maxFolders) continue;
    const isRoot = folder.parent === undefined;
    if (!isRoot && !folders[folder.parent ?? 0]) continue;
    const name = isRoot ? findFreeName({ version: 0, folders }, folder.name) : folder.name;
    folders[id] = { ...folder, name };
  }
  return { version: tree.version + 1, folders };
};

/** The write of a user's tree, if it is still as it was seen. */
export const putTree = (
  ownerId: number,
  seen: FolderTree,
  { version, folders }: FolderTree,
): Write => ({
  Put: {
    TableName: tableName(),
    Item: { ...keys.fileFolders(ownerId), version, folders },
    ...(seen.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'version = :seen',
          ExpressionAttributeValues: { ':seen': seen.version },
        }),
  },
});

/** The write that takes a user's tree away, if it is still as it was seen. */
export const takeTree = (ownerId: number, seen: FolderTree): Write => ({
  Delete: {
    TableName: tableName(),
    Key: keys.fileFolders(ownerId),
    ConditionExpression: 'version = :seen',
    ExpressionAttributeValues: { ':seen': seen.version },
  },
});

/** The write of a tree as a folder goes from `before` to `after` in it; none where neither name nor place is another. */
export const treeWrite = (
  tree: FolderTree,
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Write | undefined => {
  const folder = after ?? before;
  if (!folder || !isFolder(folder)) return undefined;
  if (before?.name === after?.name && before?.folderId === after?.folderId) return undefined;
  const next = after ? withFolder(tree, after) : withoutFolder(tree, folder.id);
  return putTree(folder.ownerId, tree, next);
};

const moveChildren = (id: number, delta: 1 | -1): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.folderChildren(id),
    UpdateExpression: 'ADD #count :delta',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});

const isIn = (file: StoredFile | undefined): number | undefined =>
  file?.status === 'ready' ? file.folderId : undefined;

/**
 * The writes that count what lies in folders as a file goes from `before` to `after`. Nothing is put into a folder that
 * is gone (`entered` fails then), and none goes that holds something (`children`).
 */
export const childrenWrites = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Readonly<Record<'left' | 'entered' | 'children', Write | undefined>> => {
  const [from, to] = [isIn(before), isIn(after)];
  const [left, entered] = from === to ? [] : [from, to];
  const isNew = after && isFolder(after) && !before;
  const goes = before && isFolder(before) && !after;
  return {
    left: left === undefined ? undefined : moveChildren(left, -1),
    entered: entered === undefined ? undefined : moveChildren(entered, 1),
    children: isNew
      ? { Put: { TableName: tableName(), Item: { ...keys.folderChildren(after.id), count: 0 } } }
      : goes
        ? {
            Delete: {
              TableName: tableName(),
              Key: keys.folderChildren(before.id),
              ConditionExpression: '#count = :none',
              ExpressionAttributeNames: { '#count': 'count' },
              ExpressionAttributeValues: { ':none': 0 },
            },
          }
        : undefined,
  };
};
