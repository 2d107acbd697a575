import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { addReaders } from '../../../shared/users/readers.ts';
import { isFolder } from './record/file.ts';
import {
  type FoundFile,
  findEditable,
  nextFile,
  notificationWrite,
  retryOnChange,
  write,
} from './record/files.ts';

/**
 * Shares a file with users and notifies the new readers. If one is removed concurrently, the job that reconciles users
 * stops sharing with that user.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR for `userIds`, also for a folder
 */
export const share = (
  actor: Actor,
  id: number,
  userIds: readonly number[],
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<FoundFile> =>
  retryOnChange(async () => {
    const current = await findEditable(actor, id);
    assertVersion(ifMatch, current.file.version);
    if (isFolder(current.file)) {
      throw invalidField('userIds', 'is not supported for folders');
    }
    const { ownerId, sharedWith } = current.file;
    const added = await addReaders(ownerId, sharedWith, userIds);
    if (added.length === 0) return current;
    const file = nextFile(current.file, { sharedWith: [...sharedWith, ...added] });
    const notice = notificationWrite(actor, current.file, file);
    return (await write(current.file, file, audit, { notice })) ? { ...current, file } : undefined;
  });

/**
 * Stops sharing a file with users.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const unshare = (
  actor: Actor,
  id: number,
  userIds: readonly number[],
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<FoundFile> =>
  retryOnChange(async () => {
    const current = await findEditable(actor, id);
    assertVersion(ifMatch, current.file.version);
    const sharedWith = current.file.sharedWith.filter((userId) => !userIds.includes(userId));
    if (sharedWith.length === current.file.sharedWith.length) return current;
    const file = nextFile(current.file, { sharedWith });
    return (await write(current.file, file, audit)) ? { ...current, file } : undefined;
  });
