import { notifyAddedReaders } from '../../../shared/notifications/notify-readers.ts';
import type { Sharing } from '../../../shared/notifications/sharing.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { ownerExists } from '../../../shared/users/person.ts';
import { isReady } from './record/file.ts';
import { find } from './record/files.ts';

/** Notifies users that a file was shared with them, if it still is. Safe to repeat. */
export const notifyReaders = async (sharing: Sharing): Promise<void> => {
  const file = await find(sharing.id);
  if (!file || !isReady(file) || !(await ownerExists(file.ownerId))) return;
  const notice = notificationTemplates.fileShared(file, sharing.sharedBy);
  await notifyAddedReaders('file-shared', sharing, file.sharedWith, notice);
};
