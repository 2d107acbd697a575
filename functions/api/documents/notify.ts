import { tellReaders } from '../../../shared/notifications/notify-readers.ts';
import type { Sharing } from '../../../shared/notifications/sharing.ts';
import { notices } from '../../../shared/notifications/templates.ts';
import { isOwnerThere } from '../../../shared/users/person.ts';
import { find } from './documents.ts';

/** Tells users that a document was shared with them: those who still see it so, once however often it is asked for. */
export const notifyReaders = async (sharing: Sharing): Promise<void> => {
  const document = await find(sharing.id);
  if (!document || document.deletedAt !== undefined) return;
  if (!(await isOwnerThere(document.authorId))) return;
  const notice = notices.documentShared(document, sharing.sharedBy);
  await tellReaders('document-shared', sharing, document.sharedWith, notice);
};
