import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { createSharing, type SharedKind } from '../../../shared/records/sharing.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { isFolder, type StoredFile } from './record/file.ts';
import { type FoundFile, find, findEditable, retryOnConflict, write } from './record/files.ts';
import { fileShared } from './record/jobs.ts';
import { fileKeys } from './record/keys.ts';

/** Files as records that are shared with readers. */
export const sharedFiles: SharedKind<StoredFile, FoundFile> = {
  job: fileShared,
  auditRemoval: systemRecorder('file.unshare'),
  getOwner: ({ ownerId }) => ownerId,
  getRecord: ({ file }) => file,
  withRecord: (found, file) => ({ ...found, file }),
  listShared: (userId) => fileKeys.byId.partition({ list: `SHARED#${userId}` }),
  find,
  findEditable,
  assertShareable: (file) => {
    if (isFolder(file)) throw invalidField('userIds', 'is not supported for folders');
  },
  write,
  retry: retryOnConflict,
};

export const { share, unshare, readReaders, removeFromReaders } = createSharing(sharedFiles);
