import { notifyAddedReaders } from '../../../shared/notifications/notify-readers.ts';
import type { Sharing } from '../../../shared/notifications/sharing.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { ownerExists } from '../../../shared/users/person.ts';
import { isReady } from './record/file.ts';
import { find } from './record/files.ts';

/** Tells users that a file was shared with them: those who still see it so, once however often it is asked for. */
export const notifyReaders = async (sharing: Sharing): Promise<void> => {
  const file = await find(sharing.id);
  if (!file || !isReady(file) || !(await ownerExists(file.ownerId))) return;
  const notice = notificationTemplates.fileShared(file, sharing.sharedBy);
  await notifyAddedReaders('file-shared', sharing, file.sharedWith, notice);
};
