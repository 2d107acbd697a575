import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import { addReaders } from '../../../shared/users/readers.ts';
import type { StoredDocument } from './document.ts';
import { findOwn, next, untilDone, write } from './documents.ts';
import { documentShared } from './jobs.ts';

/**
 * Lets users see a document, and has them told; who sees it already is not told again. A user who is removed meanwhile
 * is taken out by the job that settles what that user leaves behind.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR about `userIds`
 */
export const share = (
  actor: Actor,
  id: number,
  userIds: readonly number[],
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredDocument> =>
  untilDone(async () => {
    const seen = await findOwn(actor, id);
    assertVersion(ifMatch, seen.version);
    const { authorId, sharedWith } = seen;
    const added = await addReaders(authorId, sharedWith, userIds);
    if (added.length === 0) return seen;
    const after = next(seen, { sharedWith: [...sharedWith, ...added] });
    const notice = enqueueWrite(documentShared, {
      id,
      userIds: added,
      sharedBy: actor.user.id,
      sharedAt: after.updatedAt,
    });
    return (await write(seen, after, audit, { notice })) ? after : undefined;
  });

/**
 * Takes users out of those whom a document is shared with.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const unshare = (
  actor: Actor,
  id: number,
  userIds: readonly number[],
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredDocument> =>
  untilDone(async () => {
    const seen = await findOwn(actor, id);
    assertVersion(ifMatch, seen.version);
    const sharedWith = seen.sharedWith.filter((userId) => !userIds.includes(userId));
    if (sharedWith.length === seen.sharedWith.length) return seen;
    const after = next(seen, { sharedWith });
    return (await write(seen, after, audit)) ? after : undefined;
  });
