import { notify } from '../notifications/notify.ts';
import { notices } from '../notifications/texts.ts';
import { isOwnerThere } from '../users/existing.ts';
import { find } from './documents.ts';

/** That somebody let users see a document, at a time (ISO 8601). */
export interface Sharing {
  readonly id: number;
  readonly userIds: readonly number[];
  readonly sharedBy: number;
  readonly sharedAt: string;
}

/** Tells users that a document was shared with them: those who still see it so, once however often it is asked for. */
export const notifyReaders = async (sharing: Sharing): Promise<void> => {
  const { id, userIds, sharedBy, sharedAt } = sharing;
  const document = await find(id);
  if (!document || document.deletedAt !== undefined) return;
  if (!(await isOwnerThere(document.authorId))) return;
  const readers = userIds.filter((userId) => document.sharedWith.includes(userId));
  const notice = notices.documentShared(document, sharedBy);
  await notify(readers, notice, `document-shared#${id}#${sharedAt}`);
};
