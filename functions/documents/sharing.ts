import type { Actor } from '../../shared/actor.ts';
import type { Change } from '../../shared/change.ts';
import { invalidField } from '../../shared/errors.ts';
import { checkVersion, type IfMatch } from '../../shared/etag.ts';
import { jobWrite } from '../jobs/outbox.ts';
import { existingUsers } from '../users/existing.ts';
import type { StoredDocument } from './document.ts';
import { findOwn, next, untilDone, write } from './documents.ts';
import { documentShared } from './jobs.ts';

/** Each reader takes two items of a transaction, which holds 100, beside the words of two titles. */
export const maxReaders = 20;

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
  change: Change,
): Promise<StoredDocument> =>
  untilDone(async () => {
    const seen = await findOwn(actor, id);
    checkVersion(ifMatch, seen.version);
    const { authorId, sharedWith } = seen;
    const added = [...new Set(userIds)].filter(
      (userId) => userId !== authorId && !sharedWith.includes(userId),
    );
    if (added.length === 0) return seen;
    if (sharedWith.length + added.length > maxReaders) {
      throw invalidField('userIds', `would make more than ${maxReaders} users it is shared with`);
    }
    const there = await existingUsers(added);
    const missing = added.find((userId) => !there.includes(userId));
    if (missing !== undefined) throw invalidField('userIds', `has ${missing}, which is no user`);
    const after = next(seen, { sharedWith: [...sharedWith, ...added] });
    const notice = jobWrite(documentShared, {
      id,
      userIds: added,
      sharedBy: actor.user.id,
      sharedAt: after.updatedAt,
    });
    return (await write(seen, after, change, { notice })) ? after : undefined;
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
  change: Change,
): Promise<StoredDocument> =>
  untilDone(async () => {
    const seen = await findOwn(actor, id);
    checkVersion(ifMatch, seen.version);
    const sharedWith = seen.sharedWith.filter((userId) => !userIds.includes(userId));
    if (sharedWith.length === seen.sharedWith.length) return seen;
    const after = next(seen, { sharedWith });
    return (await write(seen, after, change)) ? after : undefined;
  });
