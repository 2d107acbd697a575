import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { createId } from '../../../../shared/db/ids.ts';
import { keys } from '../../../../shared/db/table.ts';
import { type FailedConditions, transact, type Write } from '../../../../shared/db/transaction.ts';
import { isSameRecord, writeVersion } from '../../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/etag.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../../shared/runtime/retry.ts';
import { findExistingUsers } from '../../../../shared/users/person.ts';
import { diffForAudit } from './audit.ts';
import { countWrites } from './counts.ts';
import { canEdit, canView, isFolder, isReady, notFound, type StoredFile } from './file.ts';
import {
  childrenWrites,
  type FolderTree,
  findFolder,
  isInTree,
  maxFolderName,
  toTree,
  treeWrite,
} from './folders.ts';
import { indexWrites } from './index-entries.ts';
import { fileShared } from './jobs.ts';
import { quotaError, usageWrites } from './usage.ts';

/**
 * Tries something again that answers `undefined` where somebody else was faster.
 * @throws AppError SERVICE_UNAVAILABLE when it never comes through
 */
export const untilDone = retryOnConflict('The file is being modified. Try again.');

export const toFile = (item: Record<string, unknown> | undefined): StoredFile | undefined => {
  if (!item) return undefined;
  const { pk, sk, ttl, ...file } = item;
  return file as unknown as StoredFile;
};

/** A file by id, whatever its status; strongly consistent. */
export const find = async (id: number): Promise<StoredFile | undefined> => {
  const [item] = await batchGet([keys.file(id)]);
  return toFile(item);
};

/** A file with the folders of its owner, which tell its path; of a stranger's file there are none to be seen. */
export interface FoundFile {
  readonly file: StoredFile;
  readonly tree: FolderTree;
}

/**
 * A file by id, whatever its status, with the folders of its owner; one round trip where the actor is the owner. There is
 * none of an owner who was removed, although a job may still have to remove or transfer it.
 */
export const findWithTree = async (actor: Actor, id: number): Promise<FoundFile | undefined> => {
  const me = actor.user.id;
  const [item, own] = await batchGet([keys.file(id), keys.fileFolders(me)]);
  const file = toFile(item);
  if (!file) return undefined;
  if (file.ownerId === me) return { file, tree: toTree(own) };
  const { ownerId } = file;
  const [owner, ofOwner] = await batchGet([
    keys.user(ownerId),
    ...(canEdit(actor, file) ? [keys.fileFolders(ownerId)] : []),
  ]);
  return owner && { file, tree: toTree(ofOwner) };
};

/**
 * A file that the actor may see.
 * @throws AppError NOT_FOUND
 */
export const read = async (actor: Actor, id: number): Promise<FoundFile> => {
  const found = await findWithTree(actor, id);
  if (!found || !canView(actor, found.file)) throw notFound();
  return found;
};

/**
 * A file that the actor may change.
 * @throws AppError NOT_FOUND
 */
export const findOwn = async (actor: Actor, id: number): Promise<FoundFile> => {
  const found = await findWithTree(actor, id);
  if (!found || !isReady(found.file) || !canEdit(actor, found.file)) throw notFound();
  return found;
};

/** What is removed is forgotten after a day, also where nobody has come back to see its bytes deleted. */
const tombstoneSeconds = 86_400;

const toItem = (file: StoredFile) => {
  if (file.status !== 'removed') return file;
  return { ...file, ttl: Math.ceil(Date.now() / 1_000) + tombstoneSeconds };
};

type Name = 'usage' | 'entered' | 'children' | 'tree' | (string & {});

const refuse = (failed: FailedConditions<Name>, after: StoredFile | undefined): void => {
  if (failed['file']) return;
  if (failed['children']) {
    throw new AppError('CONFLICT', 'The folder is not empty. Move or delete its contents first.');
  }
  if (failed['usage'] && after) throw quotaError(failed['usage'].item, after.size);
};

/** How much one transaction holds. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const maxWrites = 100;

/** 20 readers in place of 20 others take 80 writes, and all words of two names 24: each fits, but not both. */
const assertCountLimit = (writes: Readonly<Record<string, Write | undefined>>): void => {
  if (Object.values(writes).filter((write) => write).length <= maxWrites) return;
  throw invalidField('sharedWith', 'changes too much; send name and folder first, then users');
};

/**
 * Brings a file from `before`, as it was seen, to `after` (`undefined`: there is none), with its places, its owner's
 * folders and usage, the totals and the audit, all or nothing. Says whether it did: it doesn't where the file, or the
 * folder that it is put into, is another by now.
 * @throws AppError PAYLOAD_TOO_LARGE past the quota; CONFLICT for a folder that is not empty; VALIDATION_ERROR about
 *   `sharedWith` where too many readers are others along with the words of the name
 */
export const write = async (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
  audit: AuditRecorder,
  alongside: Readonly<Record<string, Write | undefined>> = {},
): Promise<boolean> => {
  const writes = {
    file: writeVersion(keys.file((before ?? after)?.id ?? 0), before, after && toItem(after)),
    ...alongside,
    ...indexWrites(before, after),
    ...countWrites(before, after),
    ...usageWrites(before, after),
    ...childrenWrites(before, after),
    ...audit.writes(diffForAudit(before, after)),
  };
  assertCountLimit(writes);
  const failed = await transact<Name>(writes);
  if (failed) refuse(failed, after);
  return failed === undefined;
};

/** Fields of a file that are to be others, `undefined` for those that are to go. */
type Changed = { readonly [Field in keyof StoredFile]?: StoredFile[Field] | undefined };

/** The next version of a file. */
export const nextFile = (file: StoredFile, fields: Changed): StoredFile => {
  const entries = Object.entries({
    ...file,
    ...fields,
    updatedAt: new Date().toISOString(),
    version: file.version + 1,
  });
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined),
  ) as unknown as StoredFile;
};

/** What a new file begins with. */
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
 * Makes a folder, in another one (its path) or in none.
 * @throws AppError VALIDATION_ERROR about `folder`; CONFLICT where there is one of this name or there are too many
 */
export const makeFolder = (
  actor: Actor,
  { name, folder }: { readonly name: string; readonly folder: string },
  audit: AuditRecorder,
): Promise<FoundFile> =>
  untilDone(async () => {
    const [item] = await batchGet([keys.fileFolders(actor.user.id)]);
    const tree = toTree(item);
    const folderId = findFolder(tree, folder);
    const file = createFileRecord(actor, {
      name,
      type: 'folder',
      size: 0,
      status: 'ready',
      folderId,
    });
    const written = await write(undefined, file, audit, {
      tree: treeWrite(tree, undefined, file),
    });
    return written ? { file, tree } : undefined;
  });

/** What of a file is to be another: what is absent stays. `folder` is a path, empty for none. */
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
  // One that was handed over may have become longer, where its name was taken.
  if (name !== file.name && name.length > maxFolderName) {
    throw invalidField('name', `must be at most ${maxFolderName} characters for a folder`);
  }
  if (edit.visibility === 'everyone' || (edit.sharedWith ?? []).length > 0) {
    const field = edit.visibility === 'everyone' ? 'visibility' : 'sharedWith';
    throw invalidField(field, 'is not supported for folders');
  }
};

/**
 * Readers that are added have to be there; one who is removed meanwhile is taken out by the job that settles users. It
 * finds none of those of a file that everyone sees: they go when others are to see it no more.
 */
const resolveReaders = async (
  file: StoredFile,
  { sharedWith: userIds, visibility = file.visibility }: FileEdit,
): Promise<readonly number[]> => {
  const known = file.sharedWith;
  const wanted = userIds
    ? [...new Set(userIds)].filter((userId) => userId !== file.ownerId)
    : known;
  const added = wanted.filter((userId) => !known.includes(userId));
  const isHidden = file.visibility === 'everyone' && visibility !== 'everyone';
  const there = await findExistingUsers(isHidden ? wanted : added);
  const missing = added.find((userId) => !there.includes(userId));
  if (missing !== undefined) throw invalidField('sharedWith', `contains unknown users: ${missing}`);
  return isHidden ? there : wanted;
};

/** The write that has those told who see a file from now on, and did not before; none where there are none. */
export const notifyNewReaders = (
  { user }: Actor,
  before: StoredFile,
  { id, sharedWith, updatedAt }: StoredFile,
): Write | undefined => {
  const userIds = sharedWith.filter((userId) => !before.sharedWith.includes(userId));
  if (userIds.length === 0) return undefined;
  return enqueueWrite(fileShared, { id, userIds, sharedBy: user.id, sharedAt: updatedAt });
};

/**
 * Changes a file or a folder. `toEdit` is given it as it is and answers what is to be another; it is asked again when
 * somebody else was faster, and may throw. Where nothing is, nothing is written; whom it is shared
 * with by that is told.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR about a field; CONFLICT as `makeFolder`
 */
export const update = (
  actor: Actor,
  id: number,
  toEdit: (found: FoundFile) => Promise<FileEdit>,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<FoundFile> =>
  untilDone(async () => {
    const { file: before, tree } = await findOwn(actor, id);
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
    const alongside = {
      tree: treeWrite(tree, before, after),
      notice: notifyNewReaders(actor, before, after),
    };
    if (!(await write(before, after, audit, alongside))) return undefined;
    return { file: after, tree };
  });
