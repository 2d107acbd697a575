import { type AuditRecorder, systemAudit } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { keys } from '../../../shared/db/table.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import {
  countItems,
  inDirection,
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  queryItems,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import { dueItemsQuery, processDue } from '../../../shared/lists/process-items.ts';
import { findExistingUsers } from '../../../shared/users/person.ts';
import { removeContent } from './content.ts';
import { countTrashed } from './counts.ts';
import { isPurged, keptInTrashMs, type StoredDocument } from './document.ts';
import { find, findAll, findOwn, findTrashed, next, untilDone, write } from './documents.ts';

/**
 * Puts a document into its author's trash: it is not there from then on, and its readers are kept for when it comes back.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const moveToTrash = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  await untilDone(async () => {
    const seen = await findOwn(actor, id);
    assertVersion(ifMatch, seen.version);
    const after = next(seen, { deletedAt: new Date().toISOString() });
    return (await write(seen, after, audit)) || undefined;
  });
};

/**
 * Takes a document out of the trash, as it was; of those whom it was shared with, who are still there.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const restore = (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredDocument> =>
  untilDone(async () => {
    const seen = await findTrashed(actor, id);
    assertVersion(ifMatch, seen.version);
    const sharedWith = await findExistingUsers(seen.sharedWith);
    const after = next(seen, { sharedWith, deletedAt: undefined });
    return (await write(seen, after, audit)) ? after : undefined;
  });

/** Removes a document as it was seen with all that belongs to it; `undefined` where it has changed since. */
export const remove = async (
  seen: StoredDocument,
  audit: AuditRecorder,
): Promise<true | undefined> =>
  (await write(seen, undefined, audit, removeContent(seen))) || undefined;

/**
 * Deletes a document in the trash for good, before its time.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const purge = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  await untilDone(async () => {
    const seen = await findTrashed(actor, id);
    assertVersion(ifMatch, seen.version);
    return remove(seen, audit);
  });
};

const purgeIfDue = (id: number): Promise<true> =>
  untilDone(async () => {
    const seen = await find(id);
    // The index lags: it may name what was restored or is gone.
    if (!seen || !isPurged(seen)) return true;
    return remove(seen, systemAudit('document.purge'));
  });

/** Deletes the documents for good that have been in the trash for 30 days. */
export const purgeTrash = (): Promise<void> =>
  processDue(dueItemsQuery(keys.documentPurges('', 0).pk, Date.now()), ({ id }) =>
    purgeIfDue(id as number),
  );

/** A user's own documents in the trash, the one deleted last first; those whose time is over are not there any more. */
export const listTrash = async (
  userId: number,
  request: PageRequest,
): Promise<ListResult<StoredDocument>> => {
  // An id follows the time: `~` is behind every one of that very millisecond.
  const over = `${new Date(Date.now() - keptInTrashMs).toISOString()}#~`;
  const ofTrash = (comparison: '>' | '<=') => ({
    KeyConditionExpression: `pk = :pk AND sk ${comparison} :over`,
    ExpressionAttributeValues: { ':pk': keys.trashedDocument(userId, '', 0).pk, ':over': over },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  const readKept: Source = async (count, after, isReversed) => {
    // Time goes on between two pages, and a query refuses a key that is over. Behind it is nothing, or all that is kept.
    const isExpired = after !== undefined && String(after['sk']) < over;
    if (isExpired && !isReversed) return { items: [] };
    const query = inDirection(ofTrash('>'), isReversed);
    return { items: await queryItems(query, count, isExpired ? undefined : after) };
  };
  const [page, counted, countOver] = await Promise.all([
    readPageFrom(readKept, false, request, `trash#${userId}`),
    countTrashed(userId),
    countItems(ofTrash('<='), maxCountedMatches),
  ]);
  const { documents } = await findAll(
    page.items.map(({ id }) => id as number),
    [],
  );
  const items = documents.filter((document) => document?.deletedAt !== undefined);
  return {
    ...page,
    items: items as StoredDocument[],
    // What is over may be deleted between the two counts.
    total: Math.max(counted - countOver, 0),
    totalIsExact: true,
  };
};
