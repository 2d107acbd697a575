import { readCustomRoles } from '../../../../shared/auth/custom-roles.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { isActive, parseUser, type StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { partitionQuery, queryMatches } from '../../../../shared/db/query.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { notificationKeys } from '../../../../shared/notifications/keys.ts';
import type { Notice } from '../../../../shared/notifications/notification.ts';
import {
  createNotification,
  type NotificationRequest,
  notify,
  notifyEach,
} from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { type CustomRoles, getEffectivePermissions } from '../../../../shared/permissions/roles.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { eventWrite } from '../../../../shared/webhooks/event-write.ts';
import type { OwnEventData } from '../../../../shared/webhooks/payloads.ts';
import { accountKeys } from '../../users/record/keys.ts';
import { loadShare } from '../reading/load.ts';
import { endEventWrite, type ShareEnd, toEventShare } from '../reading/share-events.ts';
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
    .filter((user) => isActive(user) && can(getEffectivePermissions(user, roles), 'shares:manage'))
    .map(({ id }) => id);
};

type Report = Omit<OwnEventData<'share.reported'>, 'url'>;

/** Returns what tells a moderator of a report, by a notification and by their webhooks: never the owner. */
export const tellOfReport =
  (notice: Notice, report: Report) =>
  (moderator: StoredUser): NotificationRequest => {
    const { kind, id, reportedAt } = report;
    const happening = `share.reported#${id}#${reportedAt}`;
    const list = kind === 'request' ? 'list=requests&' : '';
    const data = () => ({
      ...report,
      url: `${getSetting('PUBLIC_URL')}/moderation?${list}open=${id}`,
    });
    const alongside = eventWrite(moderator, 'share.reported', data, { happening, at: reportedAt });
    return { notice, alongside };
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
  const { reportedAt, reports = 1 } = reported;
  await notifyEach(
    await findModerators(),
    tellOfReport(notificationTemplates.shareReported(shareId, reported.title), {
      kind: 'share',
      id: shareId,
      reports,
      reportedAt,
    }),
    `share-reported#${shareId}#${reportedAt}`,
  );
};

type NotificationSteps = ReturnType<typeof createNotification>;

/** Creates what tells the webhooks of an owner, if any. */
type ToEvent = (owner: StoredUser) => Write | undefined;

/** Creates the steps that tell an owner, for the transaction of the change. Empty if the owner was removed. */
const createSteps = async (
  ownerId: number,
  notice: Notice | undefined,
  toEvent?: ToEvent,
): Promise<NotificationSteps> => {
  const [found, counters] = await batchGet([
    userKeys.record.at({ id: ownerId }),
    notificationKeys.counters.at({ userId: ownerId }),
  ]);
  const owner = parseUser(found);
  if (!owner) return [];
  return [
    ...(notice ? createNotification(owner, counters, notice) : []),
    { write: toEvent?.(owner), refused: 'newerNotification' },
  ];
};

/**
 * Creates the steps that tell the owner of a share that has expired or reached its view limit at this time (ISO 8601). Webhooks
 * learned of one that was taken down before.
 */
export const endNotificationSteps = async (
  found: FoundShare,
  at: string,
): Promise<NotificationSteps> => {
  const { share, access } = found;
  if (share.closedAt !== undefined) return [];
  const by = findEndCause(found) === 'views' ? 'views' : 'time';
  return createSteps(
    share.ownerId,
    notificationTemplates.shareEnded(getTitle(share), by),
    (owner) =>
      access.takenDown ? undefined : endEventWrite(owner, found, { by, how: 'ended', at }),
  );
};

/** Who ended a share: a user as the request read them, or an unknown reader. */
export type EndedBy = StoredUser | 'reader';

/**
 * Creates the steps that tell the owner of an end: by their webhooks whoever ended the share, by a notification only if
 * someone else did. `end` is absent if it had ended before.
 */
export const endSteps = async (
  found: FoundShare,
  by: EndedBy,
  notice: Notice | undefined,
  end: ShareEnd | undefined,
): Promise<NotificationSteps> => {
  const { ownerId } = found.share;
  const toEvent: ToEvent = (owner) => end && endEventWrite(owner, found, end);
  if (by !== 'reader' && by.id === ownerId) {
    return [{ write: toEvent(by), refused: 'newerNotification' }];
  }
  return notice || end ? createSteps(ownerId, notice, toEvent) : [];
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
  const { requestId: id, name } = share.from;
  const notice = notificationTemplates.shareSubmitted(shareId, name, getTitle(share));
  const happening = `share.submitted#${shareId}`;
  const data = () => ({ share: toEventShare(share), request: { id } });
  const tell = (owner: StoredUser): NotificationRequest => ({
    notice,
    alongside: eventWrite(owner, 'share.submitted', data, { happening, at: share.createdAt }),
  });
  await notifyEach([share.ownerId], tell, `share-submitted#${shareId}`);
};

/** Creates the steps that notify the owner of what someone else did. Empty if the owner did it. */
export const ownerNotificationSteps = async (
  { ownerId }: Pick<StoredShare, 'ownerId'>,
  by: number | 'reader',
  notice: Notice,
): Promise<NotificationSteps> => (ownerId === by ? [] : createSteps(ownerId, notice));
