import { batchGet } from '../../shared/dynamodb.ts';
import { AppError } from '../../shared/errors.ts';
import { readMatches } from '../../shared/page.ts';
import { can, effectivePermissions } from '../../shared/permissions.ts';
import { keys } from '../../shared/table.ts';
import type { StoredUser } from '../../shared/user.ts';
import { newNotification, notify } from '../notifications/notify.ts';
import { notices } from '../notifications/texts.ts';
import { find } from './reading.ts';
import { type FoundShare, viewsLeft } from './share.ts';

/** As many are told of a report. */
const maxModerators = 100;

/** Those who decide about shares and are active. */
const moderators = async (): Promise<number[]> => {
  const { items } = await readMatches(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.userByPermission('shares:manage', 0).pk },
      ConsistentRead: true,
    },
    { matches: maxModerators, scanned: maxModerators },
  );
  const found = await batchGet(items.map(({ id }) => keys.user(id as number)));
  const users = found.filter((user) => user !== undefined) as unknown as StoredUser[];
  return users
    .filter(
      ({ status, role, extraPermissions }) =>
        status === 'active' && can(effectivePermissions(role, extraPermissions), 'shares:manage'),
    )
    .map(({ id }) => id);
};

/** When a share was first reported since somebody last decided about it; `undefined` also where it is gone. */
const reportTimeOf = async (shareId: string): Promise<string | undefined> => {
  try {
    return (await find(shareId)).share.reportedAt;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
};

/**
 * Tells those who decide about shares that one waits for them: once for all the reports that wait for the same decision,
 * however often this is asked for.
 */
export const notifyModerators = async (shareId: string): Promise<void> => {
  const reportedAt = await reportTimeOf(shareId);
  // Decided about already, or deleted.
  if (reportedAt === undefined) return;
  const happening = `share-reported#${shareId}#${reportedAt}`;
  await notify(await moderators(), notices.shareReported(shareId), happening);
};

/** The writes that tell a share's owner that it has ended, for the transaction that ends it; none where the owner is gone. */
export const noticeOfEnd = async (
  found: FoundShare,
): Promise<Partial<ReturnType<typeof newNotification>>> => {
  const { ownerId, title } = found.share;
  const [owner, box] = await batchGet([keys.user(ownerId), keys.notificationBox(ownerId)]);
  if (!owner) return {};
  const by = viewsLeft(found) === 0 ? 'views' : 'time';
  return newNotification(ownerId, box, notices.shareEnded(title, by));
};
