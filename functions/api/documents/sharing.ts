import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import { addReaders } from '../../../shared/users/readers.ts';
import type { StoredDocument } from './document.ts';
import { findEditable, nextDocument, retryOnChange, write } from './documents.ts';
import { documentShared } from './jobs.ts';

/**
 * Shares a document with users and notifies the new readers. If one is removed concurrently, the job that reconciles
 * users stops sharing with that user.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR for `userIds`
 */
export const share = (
  actor: Actor,
  id: number,
  userIds: readonly number[],
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredDocument> =>
  retryOnChange(async () => {
    const current = await findEditable(actor, id);
    assertVersion(ifMatch, current.version);
    const { authorId, sharedWith } = current;
    const added = await addReaders(authorId, sharedWith, userIds);
    if (added.length === 0) return current;
    const after = nextDocument(current, { sharedWith: [...sharedWith, ...added] });
    const notice = enqueueWrite(documentShared, {
      id,
      userIds: added,
      sharedBy: actor.user.id,
      sharedAt: after.updatedAt,
    });
    return (await write(current, after, audit, { notice })) ? after : undefined;
  });

/**
 * Stops sharing a document with users.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const unshare = (
  actor: Actor,
  id: number,
  userIds: readonly number[],
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredDocument> =>
  retryOnChange(async () => {
    const current = await findEditable(actor, id);
    assertVersion(ifMatch, current.version);
    const sharedWith = current.sharedWith.filter((userId) => !userIds.includes(userId));
    if (sharedWith.length === current.sharedWith.length) return current;
    const after = nextDocument(current, { sharedWith });
    return (await write(current, after, audit)) ? after : undefined;
  });
