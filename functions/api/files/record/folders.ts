import { tableName } from '../../../../shared/db/dynamodb.ts';
import { type Item, itemParser } from '../../../../shared/db/item-parser.ts';
import type { Step, Write } from '../../../../shared/db/transaction.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { isFolder, type StoredFile } from './file.ts';
import { fileKeys } from './keys.ts';

/** A folder of a tree; `parent` is absent at the top level. */
interface Folder {
  readonly name: string;
  readonly parent?: number;
}

/**
 * All folders of a user, stored in one item: one read determines a file's path, and one write renames or moves a folder
 * with its contents.
 */
export interface FolderTree {
  readonly version: number;
  readonly folders: Readonly<Record<string, Folder>>;
}

/** These limits keep the item below DynamoDB's 400 KB. */
export const maxFolders = 500;
export const maxFolderName = 100;
export const maxDepth = 10;

const folderConflict = (field: string, detail: string, message: string) =>
  new AppError('CONFLICT', message, { details: [{ field, message: detail }] });

const parseTree = itemParser<FolderTree>('folder tree', ['version', 'folders']);

/** Converts a stored item to a tree; a user without folders has no item. */
export const toTree = (item: Item | undefined): FolderTree =>
  parseTree(item) ?? { version: 0, folders: {} };

/** Returns the names of a folder and its ancestors, outermost first; `[]` for the top level or an unknown folder. */
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
 * Finds the folder at a path such as `Photos/2026`; `undefined` for the top level. Leading and trailing slashes are
 * ignored.
 * @throws AppError VALIDATION_ERROR for `folder` if there is none
 */
export const findFolder = (tree: FolderTree, path: string): number | undefined => {
  let at: number | undefined;
  for (const name of path.split('/').filter((part) => part !== '')) {
    at = findChild(tree, at, name);
    if (at === undefined) throw invalidField('folder', 'must be the path of one of your folders');
  }
  return at;
};

/** Returns whether a folder is in the tree; false while its owner's folders are being transferred. */
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

/** Counts the levels of folders below a folder. */
const measureHeight = ({ folders }: FolderTree, id: number): number => {
  const inner = Object.keys(folders).filter((one) => folders[one]?.parent === id);
  return inner.length === 0
    ? 0
    : 1 + Math.max(...inner.map((one) => measureHeight({ version: 0, folders }, Number(one))));
};

/**
 * Adds a folder to the tree, or renames or moves it.
 * @throws AppError CONFLICT if the name is in use, the folder would be in itself, or a limit is exceeded
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
 * Merges the folders of another tree into a tree. A top-level folder is renamed if its name is in use. Omits the innermost
 * folders beyond the limit.
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

/** Creates the write of a user's tree, on condition of the current version. */
export const updateTreeWrite = (
  ownerId: number,
  current: FolderTree,
  { version, folders }: FolderTree,
): Write => ({
  Put: {
    TableName: tableName(),
    Item: { ...fileKeys.folders.at({ userId: ownerId }), version, folders },
    ...(current.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'version = :seen',
          ExpressionAttributeValues: { ':seen': current.version },
        }),
  },
});

/** Creates the write that deletes a user's tree, on condition of the current version. */
export const deleteTreeWrite = (ownerId: number, current: FolderTree): Write => ({
  Delete: {
    TableName: tableName(),
    Key: fileKeys.folders.at({ userId: ownerId }),
    ConditionExpression: 'version = :seen',
    ExpressionAttributeValues: { ':seen': current.version },
  },
});

/** Creates the step that writes the tree for a change of a folder; none if neither its name nor its parent changes. */
export const treeStep = (
  tree: FolderTree,
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Step<'changed'> | undefined => {
  const folder = after ?? before;
  if (!folder || !isFolder(folder)) return undefined;
  if (before?.name === after?.name && before?.folderId === after?.folderId) return undefined;
  const next = after ? withFolder(tree, after) : withoutFolder(tree, folder.id);
  return { write: updateTreeWrite(folder.ownerId, tree, next), refused: 'changed' };
};

/** Creates the write of a new folder's counter, or deletes that of a folder; it fails if the folder is not empty. */
export const childrenCounterWrite = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Write | undefined => {
  const folder = before ?? after;
  if (!folder || !isFolder(folder) || (before && after)) return undefined;
  const key = fileKeys.children.at({ id: folder.id });
  if (after) return { Put: { TableName: tableName(), Item: { ...key, count: 0 } } };
  return {
    Delete: {
      TableName: tableName(),
      Key: key,
      ConditionExpression: '#count = :none',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':none': 0 },
    },
  };
};
