import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { countSteps, withoutCountersOf } from '../../../shared/counters/counter.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { createId } from '../../../shared/db/ids.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import type { Key } from '../../../shared/db/key.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { isSameRecord, nextVersion, writeVersion } from '../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/content/etag.ts';
import { diffIndexEntries } from '../../../shared/lists/index-entries.ts';
import type { ReaderRole } from '../../../shared/records/readers.ts';
import type { Alongside } from '../../../shared/records/sharing.ts';
import { getPurgeTime, isPurged } from '../../../shared/records/trash.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { findExistingUsers, ownerExists } from '../../../shared/users/person.ts';
import { diffForAudit } from './audit.ts';
import { readContent, replaceContent, type StoredContent, storeContent } from './content.ts';
import { getCounts } from './counters.ts';
import {
  assertMayChange,
  assertMayUpdate,
  canEdit,
  canManage,
  canView,
  notFoundError,
  parseDocument,
  type StoredDocument,
  toEveryoneRole,
  withEdit,
  withReaders,
} from './document.ts';
import { listEntries } from './index-entries.ts';
import { documentKeys } from './keys.ts';
import { keepRevision, leavesRevision } from './revisions.ts';

/** The fields that an author sets, without the content. */
export interface DocumentFields {
  readonly title: string;
  readonly type: string;
  readonly folder: string | undefined;
  readonly tags: readonly string[];
  readonly visibility: StoredDocument['visibility'];
  /** What everyone may do while the document is public. */
  readonly everyoneRole?: ReaderRole;
}

/** Changes of a document: an absent field stays as it is, `null` removes the content. */
export type DocumentEdit = Partial<DocumentFields> & { readonly content?: string | null };

/** A document with its content, `null` without one. */
export interface DocumentDetail {
  readonly document: StoredDocument;
  readonly content: string | null;
}

/**
 * Runs a task again while it returns `undefined` because of a concurrent write.
 * @throws AppError SERVICE_UNAVAILABLE after the last attempt
 */
export const retryOnConflict = createRetry('The document is being modified. Try again.');

/** Converts a stored item to a document. */
export const toDocument = (item: Item | undefined): StoredDocument | undefined => {
  if (!item) return undefined;
  const { pk, sk, gsi1pk, gsi1sk, ...document } = item;
  return parseDocument(document);
};

/** Finds a document by id, in the trash or not; strongly consistent. */
export const find = async (id: number): Promise<StoredDocument | undefined> => {
  const [item] = await batchGet([documentKeys.record.at({ id })]);
  return toDocument(item);
};

/** @throws AppError NOT_FOUND unless the actor can do this and the document's author exists */
const assertAllowed = async (
  isAllowed: typeof canManage,
  actor: Actor,
  document: StoredDocument,
): Promise<void> => {
  const isThere =
    isAllowed(actor, document) && (await ownerExists(document.authorId, actor.user.id));
  if (!isThere) throw notFoundError();
};

/**
 * Finds a document that is not in the trash and that is the actor's to change in all.
 * @throws AppError NOT_FOUND
 */
export const findManaged = async (actor: Actor, id: number): Promise<StoredDocument> => {
  const document = await find(id);
  if (!document || document.deletedAt !== undefined) throw notFoundError();
  await assertAllowed(canManage, actor, document);
  return document;
};

/**
 * Finds a document in the trash that is the actor's to change in all.
 * @throws AppError NOT_FOUND
 */
export const findTrashed = async (actor: Actor, id: number): Promise<StoredDocument> => {
  const document = await find(id);
  if (document?.deletedAt === undefined || isPurged(document)) throw notFoundError();
  await assertAllowed(canManage, actor, document);
  return document;
};

/** Reads documents and users by id in one round trip. */
export const findAll = async (ids: readonly number[], userIds: readonly number[]) => {
  const items = await batchGet([
    ...ids.map((id) => documentKeys.record.at({ id })),
    ...userIds.map((id) => userKeys.record.at({ id })),
  ]);
  return {
    documents: items.slice(0, ids.length).map(toDocument),
    users: items.slice(ids.length),
  };
};

/** Adds the index entry by which a document in the trash is found when its retention time is over. */
const toItem = (document: StoredDocument) => {
  const { id, deletedAt } = document;
  if (deletedAt === undefined) return document;
  const { pk, sk } = documentKeys.purges.at({ at: getPurgeTime(deletedAt), id });
  return { ...document, gsi1pk: pk, gsi1sk: sk };
};

/**
 * Creates, updates or deletes a document with its index entries, totals and audit, in one transaction. `before` is the
 * expected version, `undefined` for a new document; `after` is `undefined` to delete it; `removed` is its author's key if
 * the author no longer exists. Returns false after a concurrent write.
 */
export const write = async (
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
  recorder: ChangeRecorder,
  alongside: Alongside = [],
  removed?: Key,
): Promise<boolean> => {
  const key = documentKeys.record.at({ id: (before ?? after)?.id ?? 0 });
  const refused = await transact([
    { write: writeVersion(key, before, after && toItem(after)), refused: 'changed' },
    ...alongside,
    ...diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []),
    ...countSteps(withoutCountersOf(removed, getCounts(before)), getCounts(after)),
    ...recorder.steps(diffForAudit(before, after)),
  ]);
  return refused === undefined;
};

/** Creates the next version of a document. */
export const nextDocument = nextVersion<StoredDocument>;

/**
 * Creates a document of the actor. If the actor is removed concurrently, the job that reconciles users deletes it: that
 * job runs later than any request takes.
 * @throws AppError PAYLOAD_TOO_LARGE; VALIDATION_ERROR for `content`
 */
export const create = (
  { user }: Actor,
  { content, ...fields }: DocumentFields & { readonly content: string | undefined },
  recorder: ChangeRecorder,
): Promise<DocumentDetail> =>
  retryOnConflict(async () => {
    const id = createId();
    const stored = await storeContent(id, content);
    const { ref, size } = stored;
    const now = new Date().toISOString();
    const { folder, everyoneRole, ...rest } = fields;
    const openTo = toEveryoneRole(fields.visibility, everyoneRole);
    const document: StoredDocument = {
      id,
      authorId: user.id,
      ...rest,
      ...(openTo && { everyoneRole: openTo }),
      ...(folder !== undefined && { folder }),
      size,
      sharedWith: [],
      ...(ref && { texts: ref }),
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    // Two ids of the same millisecond can collide: the next attempt creates another.
    const alongside = replaceContent({ id }, stored, false);
    if (!(await write(undefined, document, recorder, alongside))) return undefined;
    return { document, content: content ?? null };
  });

/**
 * Reads a document that the actor can view, with its content. The caller checks that the author exists. Reads both again
 * if the document changed between the record and its content. `check` may refuse the record before.
 * @throws AppError NOT_FOUND
 */
export const read = (
  actor: Actor,
  id: number,
  check?: (document: StoredDocument | undefined) => unknown,
): Promise<DocumentDetail> =>
  retryOnConflict(async () => {
    const [item, texts] = await batchGet([
      documentKeys.record.at({ id }),
      documentKeys.content.at({ id }),
    ]);
    const document = toDocument(item);
    check?.(document);
    if (!document || document.deletedAt !== undefined || !canView(actor, document))
      throw notFoundError();
    const content = await readContent(document, texts);
    return content === undefined ? undefined : { document, content };
  });

/** Readers of a public document have no index entries, so removed ones are found only when it becomes private. */
const resolveReaders = async (
  { visibility, sharedWith }: StoredDocument,
  nextVisibility: StoredDocument['visibility'] = visibility,
): Promise<readonly number[]> =>
  visibility === 'everyone' && nextVisibility !== 'everyone'
    ? findExistingUsers(sharedWith)
    : sharedWith;

/**
 * Finds a document that is not in the trash and whose title and content the actor can change.
 * @throws AppError FORBIDDEN; NOT_FOUND
 */
export const findEditable = async (actor: Actor, id: number): Promise<StoredDocument> => {
  const document = await find(id);
  assertMayUpdate(actor)(document);
  if (!document || document.deletedAt !== undefined) throw notFoundError();
  await assertAllowed(canEdit, actor, document);
  return document;
};

/**
 * Reads a document whose title and content the actor can change, with its content.
 * @throws AppError FORBIDDEN; NOT_FOUND
 */
export const readEditable = async (actor: Actor, id: number): Promise<DocumentDetail> => {
  const current = await read(actor, id, assertMayUpdate(actor));
  await assertAllowed(canEdit, actor, current.document);
  return current;
};

/**
 * Updates a document that is not in the trash. `toEdit` returns the changes to the current document; it may throw, and
 * runs again after a concurrent write. Writes nothing if nothing changes. `keepsFormer`: whatever title or content replaces
 * becomes a revision.
 * @throws AppError FORBIDDEN; NOT_FOUND; PRECONDITION_FAILED; otherwise as `create`
 */
export const update = async (
  actor: Actor,
  id: number,
  toEdit: (current: DocumentDetail) => Promise<DocumentEdit>,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
  { keepsFormer = false }: { readonly keepsFormer?: boolean } = {},
): Promise<DocumentDetail> => {
  let stored: (StoredContent & { readonly formerId: string | undefined }) | undefined;
  return retryOnConflict(async () => {
    const current = await readEditable(actor, id);
    const before = current.document;
    assertVersion(ifMatch, before.version);
    const edit = await toEdit(current);
    assertMayChange(actor, before, Object.keys(edit));
    const { content, everyoneRole, ...fields } = edit;
    const { visibility = before.visibility } = fields;
    // A concurrent change of other fields requires no new upload.
    if (content !== undefined && (!stored || stored.formerId !== before.texts?.id)) {
      stored = { ...(await storeContent(id, content ?? undefined)), formerId: before.texts?.id };
    }
    const next = content === undefined ? undefined : stored;
    const isRewritten = next !== undefined;
    const isEdited = isRewritten || fields.title !== undefined;
    const isKept =
      isEdited && (keepsFormer || leavesRevision(actor.user.id, before, current.content, content));
    const isAlone = Object.keys(edit).every((name) => name === 'title' || name === 'content');
    const kept = isKept
      ? await keepRevision(current, { isReplaced: isRewritten, removesExcess: isAlone })
      : undefined;
    const after = nextDocument(before, {
      ...fields,
      ...withReaders(before, await resolveReaders(before, fields.visibility)),
      everyoneRole: toEveryoneRole(visibility, everyoneRole, before.everyoneRole),
      ...(isEdited && withEdit(before, actor.user.id)),
      ...(next && { texts: next.ref, size: next.size }),
      ...kept?.fields,
    });
    if (isSameRecord(before, after)) return current;
    const alongside = [
      ...(next ? replaceContent(before, next, isKept) : []),
      ...(kept?.writes ?? []),
    ];
    if (!(await write(before, after, recorder, alongside))) return undefined;
    return { document: after, content: content === undefined ? current.content : content };
  });
};
