import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { createId } from '../../../shared/db/ids.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { isSameRecord, nextVersion, writeVersion } from '../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { retryOnConflict } from '../../../shared/runtime/retry.ts';
import { findExistingUsers, ownerExists } from '../../../shared/users/person.ts';
import { diffForAudit } from './audit.ts';
import { readContent, type StoredContent, storeContent } from './content.ts';
import { countWrites } from './counts.ts';
import {
  canEdit,
  canView,
  getPurgeTime,
  isPurged,
  notFound,
  type StoredDocument,
} from './document.ts';
import { indexWrites } from './index-entries.ts';

/** What its author says of a document. */
export interface DocumentFields {
  readonly title: string;
  readonly type: string;
  readonly folder: string | undefined;
  readonly tags: readonly string[];
  readonly visibility: StoredDocument['visibility'];
}

/** What of a document is to be another: a field that is absent stays, a content of `null` is taken away. */
export type DocumentEdit = Partial<DocumentFields> & { readonly content?: string | null };

/** A document with its content, `null` where it has none. */
export interface WholeDocument {
  readonly document: StoredDocument;
  readonly content: string | null;
}

/**
 * Tries something again that answers `undefined` where somebody else was faster.
 * @throws AppError SERVICE_UNAVAILABLE when it never comes through
 */
export const untilDone = retryOnConflict('The document keeps changing: try again');

const toDocument = (item: Record<string, unknown> | undefined): StoredDocument | undefined => {
  if (!item) return undefined;
  const { pk, sk, gsi1pk, gsi1sk, ...document } = item;
  return document as unknown as StoredDocument;
};

/** A document by id, in the trash or not; strongly consistent. */
export const find = async (id: number): Promise<StoredDocument | undefined> => {
  const [item] = await batchGet([keys.document(id)]);
  return toDocument(item);
};

/**
 * Checks that the actor may change the document, and that its author exists.
 * @throws AppError NOT_FOUND
 */
const assertCanEdit = async (actor: Actor, document: StoredDocument): Promise<void> => {
  const isThere = canEdit(actor, document) && (await ownerExists(document.authorId, actor.user.id));
  if (!isThere) throw notFound();
};

/**
 * A document that is not in the trash and that the actor may change.
 * @throws AppError NOT_FOUND
 */
export const findOwn = async (actor: Actor, id: number): Promise<StoredDocument> => {
  const document = await find(id);
  if (!document || document.deletedAt !== undefined) throw notFound();
  await assertCanEdit(actor, document);
  return document;
};

/**
 * A document in the trash that the actor may change.
 * @throws AppError NOT_FOUND
 */
export const findTrashed = async (actor: Actor, id: number): Promise<StoredDocument> => {
  const document = await find(id);
  if (document?.deletedAt === undefined || isPurged(document)) throw notFound();
  await assertCanEdit(actor, document);
  return document;
};

/** The documents of these ids and the users of those, in one round trip. */
export const findAll = async (ids: readonly number[], userIds: readonly number[]) => {
  const items = await batchGet([...ids.map(keys.document), ...userIds.map(keys.user)]);
  return {
    documents: items.slice(0, ids.length).map(toDocument),
    users: items.slice(ids.length),
  };
};

/** The document as the table keeps it, with when it is to be deleted for good if it is in the trash. */
const toItem = (document: StoredDocument) => {
  const { id, deletedAt } = document;
  if (deletedAt === undefined) return document;
  const { pk, sk } = keys.documentPurges(getPurgeTime(deletedAt), id);
  return { ...document, gsi1pk: pk, gsi1sk: sk };
};

/**
 * Brings a document from `before`, as it was seen, to `after` (`undefined`: there is none), with its places, the totals
 * and the audit, all or nothing. Says whether it did: it doesn't where the document is another by now.
 */
export const write = async (
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
  audit: AuditRecorder,
  alongside: Readonly<Record<string, Write>> = {},
): Promise<boolean> => {
  const failed = await transact({
    document: writeVersion(
      keys.document((before ?? after)?.id ?? 0),
      before,
      after && toItem(after),
    ),
    ...alongside,
    ...indexWrites(before, after),
    ...countWrites(before, after),
    ...audit.writes(diffForAudit(before, after)),
  });
  return failed === undefined;
};

/** The document as it is after a change of these fields. */
export const next = nextVersion<StoredDocument>;

/**
 * Stores a document of the actor's. One whose author is removed meanwhile is removed by the job that settles what that
 * user leaves behind, which comes later than any request takes.
 * @throws AppError PAYLOAD_TOO_LARGE; VALIDATION_ERROR about `content`
 */
export const create = (
  { user }: Actor,
  { content, ...fields }: DocumentFields & { readonly content: string | undefined },
  audit: AuditRecorder,
): Promise<WholeDocument> =>
  untilDone(async () => {
    const id = createId();
    const { ref, size, writes } = await storeContent(id, content);
    const now = new Date().toISOString();
    const { folder, ...rest } = fields;
    const document: StoredDocument = {
      id,
      authorId: user.id,
      ...rest,
      ...(folder !== undefined && { folder }),
      size,
      sharedWith: [],
      ...(ref && { texts: ref }),
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    // Two ids of one millisecond may be equal: another one then.
    if (!(await write(undefined, document, audit, writes))) return undefined;
    return { document, content: content ?? null };
  });

/**
 * A document with its content, for who may see it; whether its author exists is left to who reads the author. Record and content are not read at one instant: where a change came
 * between, both are read again.
 * @throws AppError NOT_FOUND
 */
export const read = (actor: Actor, id: number): Promise<WholeDocument> =>
  untilDone(async () => {
    const [item, texts] = await batchGet([keys.document(id), keys.documentContent(id)]);
    const document = toDocument(item);
    if (!document || document.deletedAt !== undefined || !canView(actor, document))
      throw notFound();
    const content = await readContent(document, texts);
    return content === undefined ? undefined : { document, content };
  });

/** Readers of what everyone sees stand on no shelf, where those who are removed would be found: they go when they would. */
const resolveReaders = async (
  { visibility, sharedWith }: StoredDocument,
  wanted: StoredDocument['visibility'] = visibility,
): Promise<readonly number[]> =>
  visibility === 'everyone' && wanted !== 'everyone' ? findExistingUsers(sharedWith) : sharedWith;

/**
 * Changes a document; one in the trash is not there. `toEdit` is given it as it is and answers what is to be another; it is
 * asked again when somebody else was faster, and may throw. Where nothing is, nothing is written.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; otherwise as `create`
 */
export const update = async (
  actor: Actor,
  id: number,
  toEdit: (seen: WholeDocument) => Promise<DocumentEdit>,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<WholeDocument> => {
  let stored: (StoredContent & { readonly formerId: string | undefined }) | undefined;
  return untilDone(async () => {
    const seen = await read(actor, id);
    const before = seen.document;
    await assertCanEdit(actor, before);
    assertVersion(ifMatch, before.version);
    const { content, ...fields } = await toEdit(seen);
    // A change of other fields that came between wants no other upload.
    if (content !== undefined && (!stored || stored.formerId !== before.texts?.id)) {
      const former = before.texts;
      stored = { ...(await storeContent(id, content ?? undefined, former)), formerId: former?.id };
    }
    const isRewritten = content !== undefined && stored !== undefined;
    const after = next(before, {
      ...fields,
      sharedWith: await resolveReaders(before, fields.visibility),
      ...(isRewritten && { texts: stored?.ref, size: stored?.size }),
    });
    if (isSameRecord(before, after)) return seen;
    if (!(await write(before, after, audit, isRewritten ? stored?.writes : {}))) return undefined;
    return { document: after, content: content === undefined ? seen.content : content };
  });
};
