import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { countSteps, withoutCountersOf } from '../../../../shared/counters/counter.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { createId } from '../../../../shared/db/ids.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { isSameRecord, nextVersion, writeVersion } from '../../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/content/etag.ts';
import { diffIndexEntries } from '../../../../shared/lists/index-entries.ts';
import { type Alongside, notificationWrite } from '../../../../shared/records/sharing.ts';
import { getPurgeTime, isPurged } from '../../../../shared/records/trash.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { findExistingUsers } from '../../../../shared/users/person.ts';
import { diffForAudit } from './audit.ts';
import { getCounts, guardCounts } from './counters.ts';
import {
  canEdit,
  canView,
  isFolder,
  isReady,
  type ListedFile,
  notFoundError,
  parseFile,
  type StoredFile,
} from './file.ts';
import {
  childrenCounterWrite,
  type FolderTree,
  findFolder,
  isInTree,
  maxFolderName,
  toTree,
  treeStep,
} from './folders.ts';
import { listEntries } from './index-entries.ts';
import { fileShared } from './jobs.ts';
import { fileKeys } from './keys.ts';
import { thumbnailDeletion } from './thumbnail.ts';
import { usageWriteError } from './usage.ts';

/**
 * Runs a task again while it returns `undefined` because of a concurrent write.
 * @throws AppError SERVICE_UNAVAILABLE after the last attempt
 */
export const retryOnConflict = createRetry('The file is being modified. Try again.');

export const toFile = (item: Item | undefined): StoredFile | undefined => {
  if (!item) return undefined;
  const { pk, sk, gsi1pk, gsi1sk, ttl, ...file } = item;
  return parseFile(file);
};

/** Finds a file by id, whatever its status; strongly consistent. */
export const find = async (id: number): Promise<StoredFile | undefined> => {
  const [item] = await batchGet([fileKeys.record.at({ id })]);
  return toFile(item);
};

/** A file with its owner's folders, which determine its path. They are empty if the actor can't edit the file. */
export interface FoundFile<File extends ListedFile = StoredFile> {
  readonly file: File;
  readonly tree: FolderTree;
}

/**
 * Finds a file by id, whatever its status, with its owner's folders; one round trip if the actor is the owner. Returns
 * `undefined` if the owner was removed, before a job deletes or transfers the file.
 */
export const findWithTree = async (actor: Actor, id: number): Promise<FoundFile | undefined> => {
  const me = actor.user.id;
  const [item, own] = await batchGet([
    fileKeys.record.at({ id }),
    fileKeys.folders.at({ userId: me }),
  ]);
  const file = toFile(item);
  if (!file) return undefined;
  if (file.ownerId === me) return { file, tree: toTree(own) };
  const { ownerId } = file;
  const [owner, ofOwner] = await batchGet([
    userKeys.record.at({ id: ownerId }),
    ...(canEdit(actor, file) ? [fileKeys.folders.at({ userId: ownerId })] : []),
  ]);
  return owner && { file, tree: toTree(ofOwner) };
};

/**
 * Reads a file that the actor can view.
 * @throws AppError NOT_FOUND
 */
export const read = async (actor: Actor, id: number): Promise<FoundFile> => {
  const found = await findWithTree(actor, id);
  if (!found || !canView(actor, found.file)) throw notFoundError();
  return found;
};

/**
 * Finds a file that the actor can edit.
 * @throws AppError NOT_FOUND
 */
export const findEditable = async (actor: Actor, id: number): Promise<FoundFile> => {
  const found = await findWithTree(actor, id);
  if (!found || !isReady(found.file) || !canEdit(actor, found.file)) throw notFoundError();
  return found;
};

/**
 * Finds a file in the trash that the actor can edit.
 * @throws AppError NOT_FOUND
 */
export const findTrashed = async (actor: Actor, id: number): Promise<FoundFile> => {
  const found = await findWithTree(actor, id);
  const isThere = found?.file.status === 'trashed' && !isPurged(found.file);
  if (!isThere || !canEdit(actor, found.file)) throw notFoundError();
  return found;
};

/** A removed file's record expires after a day, even if deleting its object failed. */
const tombstoneSeconds = 86_400;

/** Adds when a removed file's record expires, or the index entry by which one in the trash is found when its time is over. */
const toItem = (file: StoredFile) => {
  const { id, status, deletedAt } = file;
  if (status === 'removed') {
    return { ...file, ttl: Math.ceil(Date.now() / 1_000) + tombstoneSeconds };
  }
  if (deletedAt === undefined) return file;
  const { pk, sk } = fileKeys.purges.at({ at: getPurgeTime(deletedAt), id });
  return { ...file, gsi1pk: pk, gsi1sk: sk };
};

/** The limit of a transaction. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const maxWrites = 100;

/** Replacing 20 readers takes 80 writes and replacing all words of a name 24: each fits, but not both. */
const assertWriteLimit = (steps: Alongside): void => {
  if (steps.filter((step) => step !== undefined).length <= maxWrites) return;
  throw invalidField('sharedWith', 'changes too much; send name and folder first, then users');
};

const folderNotEmptyError = () =>
  new AppError('CONFLICT', 'The folder is not empty. Move or delete its contents first.');

/**
 * Creates, updates or deletes a file with its index entries, its owner's usage, the totals and the audit, in one
 * transaction. `before` is the expected version, `undefined` for a new file; `after` is `undefined` to delete it; `removed`
 * is its owner's key if the owner no longer exists; without a recorder, the change is not audited. Returns false after a concurrent write to the file or its new folder.
 * @throws AppError PAYLOAD_TOO_LARGE beyond the quota; CONFLICT for a folder that is not empty; VALIDATION_ERROR for
 *   `sharedWith` if name and readers change too much at a time
 */
export const write = async (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
  recorder: ChangeRecorder | undefined,
  alongside: Alongside = [],
  removed?: Key,
): Promise<boolean> => {
  const key = fileKeys.record.at({ id: (before ?? after)?.id ?? 0 });
  const children = childrenCounterWrite(before, after);
  const steps = [
    { write: writeVersion(key, before, after && toItem(after)), refused: 'changed' },
    ...alongside,
    ...diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []),
    ...countSteps(
      withoutCountersOf(removed, getCounts(before)),
      getCounts(after),
      guardCounts(!before),
    ),
    children && { write: children, refused: folderNotEmptyError },
    before && { write: thumbnailDeletion(before, after) },
    ...(recorder?.steps(diffForAudit(before, after)) ?? []),
  ] as const;
  assertWriteLimit(steps);
  const refused = await transact(steps);
  if (refused?.by === 'quota') throw usageWriteError(refused.item, after?.size ?? 0);
  return refused === undefined;
};

/** Creates the next version of a file. */
export const nextFile = nextVersion<StoredFile>;

/** Creates the record of a new private file. */
export const createFileRecord = (
  { user }: Actor,
  fields: Pick<StoredFile, 'name' | 'type' | 'size' | 'status'> & {
    readonly folderId: number | undefined;
  } & Partial<Pick<StoredFile, 'mimeType' | 'object' | 'checksum' | 'uploadBy' | 'completeBy'>>,
): StoredFile => {
  const now = new Date().toISOString();
  const { folderId, ...rest } = fields;
  return {
    id: createId(),
    ownerId: user.id,
    ...rest,
    ...(folderId !== undefined && { folderId }),
    visibility: 'private',
    sharedWith: [],
    isFavorite: false,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
};

/**
 * Creates a folder in the folder at a path; an empty path is the top level.
 * @throws AppError VALIDATION_ERROR for `folder`; CONFLICT if the name is in use or a limit of folders is reached
 */
export const createFolder = (
  actor: Actor,
  { name, folder }: { readonly name: string; readonly folder: string },
  recorder: ChangeRecorder,
): Promise<FoundFile> =>
  retryOnConflict(async () => {
    const [item] = await batchGet([fileKeys.folders.at({ userId: actor.user.id })]);
    const tree = toTree(item);
    const folderId = findFolder(tree, folder);
    const file = createFileRecord(actor, {
      name,
      type: 'folder',
      size: 0,
      status: 'ready',
      folderId,
    });
    const written = await write(undefined, file, recorder, [treeStep(tree, undefined, file)]);
    return written ? { file, tree } : undefined;
  });

/** Changes of a file: an absent field stays as it is. `folder` is a path; empty is the top level. */
export interface FileEdit {
  readonly name?: string;
  readonly folder?: string;
  readonly isFavorite?: boolean;
  readonly visibility?: StoredFile['visibility'];
  readonly sharedWith?: readonly number[];
}

const assertValidEdit = (actor: Actor, file: StoredFile, edit: FileEdit): void => {
  if (edit.isFavorite !== undefined && file.ownerId !== actor.user.id) {
    throw invalidField('isFavorite', 'can only be changed by the owner');
  }
  if (!isFolder(file)) return;
  const { name = file.name } = edit;
  // A transfer may have made the name longer, to keep it unique.
  if (name !== file.name && name.length > maxFolderName) {
    throw invalidField('name', `must be at most ${maxFolderName} characters for a folder`);
  }
  if (edit.visibility === 'everyone' || (edit.sharedWith ?? []).length > 0) {
    const field = edit.visibility === 'everyone' ? 'visibility' : 'sharedWith';
    throw invalidField(field, 'is not supported for folders');
  }
};

/**
 * Added readers must exist; the job that reconciles users handles those who are removed concurrently. It can't find the
 * readers of a public file, so removed ones are dropped when the file becomes private.
 */
const resolveReaders = async (
  file: StoredFile,
  { sharedWith: userIds, visibility = file.visibility }: FileEdit,
): Promise<readonly number[]> => {
  const currentReaders = file.sharedWith;
  const wanted = userIds
    ? [...new Set(userIds)].filter((userId) => userId !== file.ownerId)
    : currentReaders;
  const added = wanted.filter((userId) => !currentReaders.includes(userId));
  const becomesPrivate = file.visibility === 'everyone' && visibility !== 'everyone';
  const existing = await findExistingUsers(becomesPrivate ? wanted : added);
  const missing = added.find((userId) => !existing.includes(userId));
  if (missing !== undefined) throw invalidField('sharedWith', `contains unknown users: ${missing}`);
  return becomesPrivate ? existing : wanted;
};

/**
 * Updates a file or folder and notifies its new readers. `toEdit` returns the changes to the current file; it may throw,
 * and runs again after a concurrent write. Writes nothing if nothing changes.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR for a field; CONFLICT as `createFolder`
 */
export const update = (
  actor: Actor,
  id: number,
  toEdit: (found: FoundFile) => Promise<FileEdit>,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<FoundFile> =>
  retryOnConflict(async () => {
    const { file: before, tree } = await findEditable(actor, id);
    assertVersion(ifMatch, before.version);
    const edit = await toEdit({ file: before, tree });
    assertValidEdit(actor, before, edit);
    if (!isInTree(tree, before)) return undefined;
    const { name, folder, isFavorite, visibility } = edit;
    const after = nextFile(before, {
      ...(name !== undefined && { name }),
      ...(folder !== undefined && { folderId: findFolder(tree, folder) }),
      ...(isFavorite !== undefined && { isFavorite }),
      ...(visibility !== undefined && { visibility }),
      sharedWith: await resolveReaders(before, edit),
    });
    if (isSameRecord(before, after)) return { file: before, tree };
    const alongside = [
      treeStep(tree, before, after),
      notificationWrite(fileShared, actor.user, before, after),
    ];
    if (!(await write(before, after, recorder, alongside))) return undefined;
    return { file: after, tree };
  });
