import { type AuditRecorder, systemAudit } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import type { Key } from '../../../shared/db/key.ts';
import { countItems, inDirection, type ListKey, queryItems } from '../../../shared/db/query.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { toPlaces } from '../../../shared/lists/list-partitions.ts';
import {
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import { runEach } from '../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { findExistingUsers } from '../../../shared/users/person.ts';
import { removeContent } from './content.ts';
import { countTrashed } from './counters.ts';
import {
  isPurged,
  type ListedDocument,
  type StoredDocument,
  trashRetentionMs,
  withReaders,
} from './document.ts';
import { find, findManaged, findTrashed, nextDocument, retryOnChange, write } from './documents.ts';
import type { WholeEntry } from './index-entries.ts';
import { documentKeys } from './keys.ts';

/**
 * Moves a document to its author's trash, where no one can read it. Its readers are kept for `restore`.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const moveToTrash = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  await retryOnChange(async () => {
    const current = await findManaged(actor, id);
    assertVersion(ifMatch, current.version);
    const after = nextDocument(current, { deletedAt: new Date().toISOString() });
    return (await write(current, after, audit)) || undefined;
  });
};

/**
 * Restores a document from the trash, shared with those of its readers who still exist.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const restore = (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredDocument> =>
  retryOnChange(async () => {
    const current = await findTrashed(actor, id);
    assertVersion(ifMatch, current.version);
    const sharedWith = await findExistingUsers(current.sharedWith);
    const after = nextDocument(current, {
      ...withReaders(current, sharedWith),
      deletedAt: undefined,
    });
    return (await write(current, after, audit)) ? after : undefined;
  });

/** Deletes a document with its content, `removed` as in `write`. Returns `undefined` if it has changed since. */
export const remove = async (
  current: StoredDocument,
  audit: AuditRecorder,
  removed?: Key,
): Promise<true | undefined> =>
  (await write(current, undefined, audit, [removeContent(current)], removed)) || undefined;

/**
 * Permanently deletes a document in the trash.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const purge = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  await retryOnChange(async () => {
    const current = await findTrashed(actor, id);
    assertVersion(ifMatch, current.version);
    return remove(current, audit);
  });
};

const purgeIfDue = ({ id }: ListKey): Promise<true> =>
  retryOnChange(async () => {
    const current = await find(id as number);
    // The index is eventually consistent: the document may have been restored or deleted.
    if (!current || !isPurged(current)) return true;
    return remove(current, systemAudit('document.purge'));
  });

const getAuthor = ({ authorId }: ListKey) => authorId;

/** Permanently deletes documents that have been in the trash for 30 days, an author's one after another. */
export const trashedDocuments: ScheduledWork = {
  name: 'trashed-documents',
  due: documentKeys.purges,
  run: (items, bound) => runEach(items, purgeIfDue, bound, getAuthor),
};

/** Lists a user's documents in the trash, last deleted first, without those whose retention time is over. */
export const listTrash = async (
  userId: number,
  request: PageRequest,
): Promise<ListResult<ListedDocument>> => {
  // `~` sorts after the ids that follow the same millisecond.
  const expiryBound = `${new Date(Date.now() - trashRetentionMs).toISOString()}#~`;
  const trashQuery = (comparison: '>' | '<=') => ({
    KeyConditionExpression: `pk = :pk AND sk ${comparison} :bound`,
    ExpressionAttributeValues: {
      ':pk': documentKeys.trashed.partition({ authorId: userId }).pk,
      ':bound': expiryBound,
    },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  const readRetained: Source = async (count, after, isReversed) => {
    // A cursor can expire between two pages, and DynamoDB rejects a start key outside the query's range.
    const isExpired = after !== undefined && String(after['sk']) < expiryBound;
    if (isExpired && !isReversed) return { items: [] };
    const query = inDirection(trashQuery('>'), isReversed);
    return { items: await queryItems(query, count, isExpired ? undefined : after) };
  };
  const [page, trashed, expired] = await Promise.all([
    readPageFrom(readRetained, false, request, `trash#${userId}`),
    countTrashed(userId),
    countItems(trashQuery('<='), maxCountedMatches),
  ]);
  return {
    ...page,
    items: toPlaces<WholeEntry>(page.items),
    // Expired documents can be deleted between the two counts.
    total: Math.max(trashed - expired, 0),
    totalIsExact: true,
  };
};
