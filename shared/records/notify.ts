import type { StoredUser } from '../auth/user.ts';
import type { Write } from '../db/transaction.ts';
import type { Notice, Sender } from '../notifications/notification.ts';
import { notifyEach } from '../notifications/notify.ts';
import { ownerExists } from '../users/person.ts';
import type { Sharing } from './readers.ts';
import type { SharedKind, SharedRecord } from './sharing.ts';

/**
 * Creates the job that notifies users once that a record was shared with them, if it still is. Safe to repeat. `toEvent` creates
 * what tells a reader’s webhooks.
 */
export const createReaderNotifier =
  <Stored extends SharedRecord, Found>(
    { job, find, getOwner }: SharedKind<Stored, Found>,
    isReadable: (record: Stored) => boolean,
    toNotice: (record: Stored, sharedBy: Sender) => Notice,
    toEvent?: (reader: StoredUser, record: Stored, sharing: Sharing) => Write | undefined,
  ) =>
  async (sharing: Sharing): Promise<void> => {
    const { id, userIds, sharedBy, sharedAt } = sharing;
    const record = await find(id);
    if (!record || !isReadable(record) || !(await ownerExists(getOwner(record)))) return;
    const readers = userIds.filter((userId) => record.sharedWith.includes(userId));
    const notice = toNotice(record, sharedBy);
    await notifyEach(
      readers,
      (reader) => ({ notice, alongside: toEvent?.(reader, record, sharing) }),
      `${job.name}#${id}#${sharedAt}`,
    );
  };
