import { notifyAddedReaders } from '../../../shared/notifications/notify-readers.ts';
import type { Sharing } from '../../../shared/notifications/sharing.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { ownerExists } from '../../../shared/users/person.ts';
import { find } from './documents.ts';

/** Notifies users that a document was shared with them, if it still is. Safe to repeat. */
export const notifyReaders = async (sharing: Sharing): Promise<void> => {
  const document = await find(sharing.id);
  if (!document || document.deletedAt !== undefined) return;
  if (!(await ownerExists(document.authorId))) return;
  const notice = notificationTemplates.documentShared(document, sharing.sharedBy);
  await notifyAddedReaders('document-shared', sharing, document.sharedWith, notice);
};
