import type { NotificationContent } from './notification.ts';
import { notify } from './notify.ts';
import type { Sharing } from './sharing.ts';

/**
 * Tells users that something was shared with them: those of `sharedWith`, who still see it so, once however often it is
 * asked for. `kind` is the name of what happened, such as `document-shared`.
 */
export const notifyAddedReaders = async (
  kind: string,
  { id, userIds, sharedAt }: Sharing,
  sharedWith: readonly number[],
  notice: NotificationContent,
): Promise<void> => {
  const readers = userIds.filter((userId) => sharedWith.includes(userId));
  await notify(readers, notice, `${kind}#${id}#${sharedAt}`);
};
