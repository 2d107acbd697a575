import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { addReaders } from '../../../shared/users/readers.ts';
import { isFolder } from './record/file.ts';
import {
  type FoundFile,
  findOwn,
  nextFile,
  notifyNewReaders,
  untilDone,
  write,
} from './record/files.ts';

/**
 * Lets users see a file, and has them told; who sees it already is not told again. A user who is removed meanwhile is
 * taken out by the job that settles what that user leaves behind.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR about `userIds`, also for a folder
 */
export const share = (
  actor: Actor,
  id: number,
  userIds: readonly number[],
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<FoundFile> =>
  untilDone(async () => {
    const seen = await findOwn(actor, id);
    assertVersion(ifMatch, seen.file.version);
    if (isFolder(seen.file)) {
      throw invalidField('userIds', 'is not supported for folders');
    }
    const { ownerId, sharedWith } = seen.file;
    const added = await addReaders(ownerId, sharedWith, userIds);
    if (added.length === 0) return seen;
    const file = nextFile(seen.file, { sharedWith: [...sharedWith, ...added] });
    const notice = notifyNewReaders(actor, seen.file, file);
    return (await write(seen.file, file, audit, { notice })) ? { ...seen, file } : undefined;
  });

/**
 * Takes users out of those whom a file is shared with.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const unshare = (
  actor: Actor,
  id: number,
  userIds: readonly number[],
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<FoundFile> =>
  untilDone(async () => {
    const seen = await findOwn(actor, id);
    assertVersion(ifMatch, seen.file.version);
    const sharedWith = seen.file.sharedWith.filter((userId) => !userIds.includes(userId));
    if (sharedWith.length === seen.file.sharedWith.length) return seen;
    const file = nextFile(seen.file, { sharedWith });
    return (await write(seen.file, file, audit)) ? { ...seen, file } : undefined;
  });
