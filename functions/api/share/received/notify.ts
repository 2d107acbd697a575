import type * as z from 'zod';
import { isSuspended } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { notify } from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import { toFoundShare } from '../reading/load.ts';
import { getAudience } from '../record/audience.ts';
import type { shareReadersJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import { getShareStatus } from '../record/share.ts';
import { getReaders } from './entries.ts';
import { getListedTitle } from './listed-title.ts';

/**
 * Notifies those who were added to the readers of a share, if they still are and can open it. Once a day and share: whoever is
 * removed and added again isn’t told twice.
 */
export const notifyReaders = async ({
  id,
  added,
  at,
}: z.output<(typeof shareReadersJob)['data']>): Promise<void> => {
  const [record, access] = await batchGet([
    shareKeys.record.at({ id }),
    shareKeys.access.at({ id }),
  ]);
  if (!record || !access) return;
  const found = toFoundShare(record, access);
  const { share } = found;
  const named = added.filter((userId) => getReaders(share).includes(userId));
  if (named.length === 0) return;
  if (getShareStatus(found) !== 'active' || getAudience(share) !== 'people') return;
  const owner = (await readUsers([share.ownerId])).get(share.ownerId);
  if (!owner || isSuspended(owner)) return;
  const notice = notificationTemplates.snippetShared(
    { id, title: getListedTitle(share), isSealed: share.sealed !== undefined },
    { id: owner.id, name: owner.name },
  );
  await notify(named, notice, `share-readers#${id}#${at.slice(0, 10)}`);
};
