import type { NotificationContent } from './notification.ts';
import { notify } from './notify.ts';
import type { Sharing } from './sharing.ts';

/**
 * Notifies users once that something was shared with them, if it still is. `kind` is the kind of event, such as
 * `document-shared`.
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
