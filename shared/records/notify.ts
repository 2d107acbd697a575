import type { Notice, Sender } from '../notifications/notification.ts';
import { notify } from '../notifications/notify.ts';
import { ownerExists } from '../users/person.ts';
import type { Sharing } from './readers.ts';
import type { SharedKind, SharedRecord } from './sharing.ts';

/** Creates the job that notifies users once that a record was shared with them, if it still is. Safe to repeat. */
export const createReaderNotifier =
  <Stored extends SharedRecord, Found>(
    { job, find, getOwner }: SharedKind<Stored, Found>,
    isReadable: (record: Stored) => boolean,
    toNotice: (record: Stored, sharedBy: Sender) => Notice,
  ) =>
  async ({ id, userIds, sharedBy, sharedAt }: Sharing): Promise<void> => {
    const record = await find(id);
    if (!record || !isReadable(record) || !(await ownerExists(getOwner(record)))) return;
    const readers = userIds.filter((userId) => record.sharedWith.includes(userId));
    await notify(readers, toNotice(record, sharedBy), `${job.name}#${id}#${sharedAt}`);
  };
