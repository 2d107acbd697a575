import type { StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { queryMatches } from '../../../../shared/lists/pagination.ts';
import type { NotificationContent } from '../../../../shared/notifications/notification.ts';
import { createNotification, notify } from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { can, getEffectivePermissions } from '../../../../shared/permissions/permissions.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { find } from '../reading/reading.ts';
import { countViewsLeft, type FoundShare, type StoredShare } from '../record/share.ts';

/** As many are told of a report. */
const maxModerators = 100;

/** Those who decide about shares and are active. */
const moderators = async (): Promise<number[]> => {
  const { items } = await queryMatches(
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
        status === 'active' &&
        can(getEffectivePermissions(role, extraPermissions), 'shares:manage'),
    )
    .map(({ id }) => id);
};

/** A share that was reported; `undefined` where it is gone. */
const reportedShare = async (shareId: string): Promise<StoredShare | undefined> => {
  try {
    return (await find(shareId)).share;
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
  const reported = await reportedShare(shareId);
  // Decided about already, or deleted.
  if (reported?.reportedAt === undefined) return;
  const event = `share-reported#${shareId}#${reported.reportedAt}`;
  await notify(
    await moderators(),
    notificationTemplates.shareReported(shareId, reported.title),
    event,
  );
};

type NoticeWrites = Partial<ReturnType<typeof createNotification>>;

/** The writes that tell a share's owner something, for the transaction that does it; none where the owner is gone. */
const notificationFor = async (
  ownerId: number,
  notice: NotificationContent,
): Promise<NoticeWrites> => {
  const [owner, box] = await batchGet([keys.user(ownerId), keys.notificationCounters(ownerId)]);
  return owner ? createNotification(ownerId, box, notice) : {};
};

/** The writes that tell a share's owner that it has ended by itself. */
export const endNotification = async (found: FoundShare): Promise<NoticeWrites> => {
  const { ownerId, title, closedAt } = found.share;
  if (closedAt !== undefined) return {};
  const by = countViewsLeft(found) === 0 ? 'views' : 'time';
  return notificationFor(ownerId, notificationTemplates.shareEnded(title, by));
};

/** The writes that tell a share's owner what a moderator does with it; none where the owner does it. */
export const moderationNotification = async (
  { ownerId }: StoredShare,
  actorId: number,
  notice: NotificationContent,
): Promise<NoticeWrites> => (ownerId === actorId ? {} : notificationFor(ownerId, notice));
