import { readCustomRoles } from '../../../../shared/auth/custom-roles.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { parseUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { partitionQuery, queryMatches } from '../../../../shared/db/query.ts';
import { notificationKeys } from '../../../../shared/notifications/keys.ts';
import type { Notice } from '../../../../shared/notifications/notification.ts';
import { createNotification, notify } from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { type CustomRoles, getEffectivePermissions } from '../../../../shared/permissions/roles.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { accountKeys } from '../../users/record/keys.ts';
import { loadShare } from '../reading/load.ts';
import { loadLinks } from '../record/links.ts';
import { type FoundShare, findEndCause, getTitle, type StoredShare } from '../record/share.ts';

/** The maximum number of notified moderators. */
const maxModerators = 100;

const bounds = { matches: maxModerators, scanned: maxModerators };

/** Lists active users of custom roles that allow moderating. */
const listByRole = async (roles: NonNullable<CustomRoles>): Promise<number[]> => {
  const granting = [...roles.values()].filter((role) => can(role.permissions, 'shares:manage'));
  const found = await Promise.all(
    granting.map(({ name }) =>
      queryMatches(
        partitionQuery(
          accountKeys.byRoleAndStatus.partition({ role: name, status: 'active' }),
          false,
        ),
        bounds,
      ),
    ),
  );
  return found.flatMap(({ items }) => items.map(({ id }) => id as number));
};

/** Finds the active users who can moderate shares, up to 100. */
export const findModerators = async (): Promise<number[]> => {
  const [{ items }, roles] = await Promise.all([
    queryMatches(
      partitionQuery(userKeys.byPermission.partition({ permission: 'shares:manage' }), false),
      bounds,
    ),
    readCustomRoles(),
  ]);
  const ids = new Set([...items.map(({ id }) => id as number), ...(await listByRole(roles))]);
  const found = await batchGet(
    [...ids].slice(0, maxModerators).map((id) => userKeys.record.at({ id })),
  );
  return found
    .flatMap((user) => (user ? [parseUser(user)] : []))
    .filter(
      (user) =>
        user.status === 'active' && can(getEffectivePermissions(user, roles), 'shares:manage'),
    )
    .map(({ id }) => id);
};

/** Finds a share, if it still exists. */
const findExisting = async (shareId: string): Promise<FoundShare | undefined> => {
  try {
    return await loadShare(shareId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
};

/** Notifies the moderators of a reported share: once for all reports that wait for the same decision. */
export const notifyModerators = async (shareId: string): Promise<void> => {
  const reported = (await findExisting(shareId))?.share;
  // Already moderated or deleted.
  if (reported?.reportedAt === undefined) return;
  const dedupKey = `share-reported#${shareId}#${reported.reportedAt}`;
  await notify(
    await findModerators(),
    notificationTemplates.shareReported(shareId, reported.title),
    dedupKey,
  );
};

type NotificationSteps = ReturnType<typeof createNotification>;

/** Creates the steps that notify an owner, for the transaction of the change. Empty if the owner was removed. */
const createSteps = async (ownerId: number, notice: Notice): Promise<NotificationSteps> => {
  const [found, counters] = await batchGet([
    userKeys.record.at({ id: ownerId }),
    notificationKeys.counters.at({ userId: ownerId }),
  ]);
  const owner = parseUser(found);
  return owner ? createNotification(owner, counters, notice) : [];
};

/** Creates the steps that notify the owner of a share that has expired or reached its view limit. */
export const endNotificationSteps = async (found: FoundShare): Promise<NotificationSteps> => {
  const { share } = found;
  if (share.closedAt !== undefined) return [];
  const by = findEndCause(found) === 'views' ? 'views' : 'time';
  return createSteps(share.ownerId, notificationTemplates.shareEnded(getTitle(share), by));
};

/**
 * Notifies the owner of the first view of a share, once, if the owner asked for it. Names the recipient link that it was
 * opened with.
 */
export const notifyOfFirstView = async (shareId: string): Promise<void> => {
  const found = await findExisting(shareId);
  if (!found?.share.notify) return;
  const { share, access } = found;
  const firstAt = Date.parse(access.firstViewedAt ?? '');
  const isFirst = (id: string) => access.links[id]?.firstViewedAt === firstAt;
  const [link] = await loadLinks(Object.keys(access.links).filter(isFirst));
  const notice = notificationTemplates.shareOpened(getTitle(share), link?.label);
  await notify([share.ownerId], notice, `share-opened#${shareId}`);
};

/** Notifies the owner of a share that someone handed in, once. */
export const notifyOfSubmission = async (shareId: string): Promise<void> => {
  const { share } = (await findExisting(shareId)) ?? {};
  if (!share?.from) return;
  const notice = notificationTemplates.shareSubmitted(shareId, share.from.name, getTitle(share));
  await notify([share.ownerId], notice, `share-submitted#${shareId}`);
};

/** Creates the steps that notify the owner of what someone else did. Empty if the owner did it. */
export const ownerNotificationSteps = async (
  { ownerId }: Pick<StoredShare, 'ownerId'>,
  by: number | 'reader',
  notice: Notice,
): Promise<NotificationSteps> => (ownerId === by ? [] : createSteps(ownerId, notice));
