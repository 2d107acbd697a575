import * as z from 'zod';
import { RecordId } from '../../../shared/db/ids.ts';
import { Deleted, paginated, Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { emptyAsUndefined } from '../../../shared/lists/filters.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { types } from '../../../shared/notifications/notification.ts';
import { readPending } from '../messages/mailbox.ts';
import { list } from './list.ts';
import { getUnreadCount, read, readAll, remove } from './notifications.ts';
import {
  Notification,
  NotificationPage,
  NotificationsRead,
  toNotification,
  UnreadCount,
  UserUpdates,
} from './schemas.ts';
import { readUpdates } from './updates.ts';

const params = z.object({ id: RecordId });

const NotificationQuery = z.object({
  ...pageQuery,
  unread: z.preprocess(
    emptyAsUndefined,
    z
      .enum(['true', 'false'], 'must be true or false')
      .optional()
      .transform((unread) => (unread === undefined ? undefined : unread === 'true'))
      .meta({ description: '`true` for unread notifications, `false` for read ones.' }),
  ),
  type: z.preprocess(
    emptyAsUndefined,
    z.enum(types, `must be one of ${types.join(', ')}`).optional(),
  ),
  ...sortBy(['createdAt']),
});

export const routes = [
  route({
    endpoint: 'GET /api/notifications',
    access: 'signed-in',
    scope: 'notifications:view',
    summary: 'List your notifications',
    description:
      'Returns notifications of the last 90 days, newest first. Use one filter at a time.',
    query: NotificationQuery,
    output: NotificationPage,
    readAhead: readPending,
    handle: async ({ actor, query: { unread, type, ...page }, ahead }) =>
      paginated(await list(actor.user.id, { unread, type }, page, ahead), (found) =>
        toNotification(found, actor.permissions),
      ),
  }),
  route({
    endpoint: 'GET /api/notifications/unread-count',
    access: 'signed-in',
    scope: 'notifications:view',
    summary: 'Count your unread notifications',
    description: 'The count is exact.',
    output: UnreadCount,
    readAhead: readPending,
    handle: async ({ actor, ahead }) =>
      success({ count: await getUnreadCount(actor.user.id, ahead) }),
  }),
  route({
    endpoint: 'GET /api/notifications/updates',
    access: 'signed-in',
    scope: 'notifications:view',
    summary: 'Check for updates',
    description:
      'Counts your unread messages and notifications and says whether your calendar changed, for pages that ask every 30 seconds. Send `If-None-Match`: while nothing changes, the response is 304.',
    output: UserUpdates,
    versionOf: ({ data }) => data.calendarVersion,
    handle: async ({ actor }) => success(await readUpdates(actor)),
  }),
  route({
    endpoint: 'PUT /api/notifications/read-all',
    access: 'signed-in',
    scope: 'notifications:update',
    summary: 'Mark all notifications as read',
    description: 'Affects the notifications that exist at this moment, not later ones.',
    output: NotificationsRead,
    auditAction: 'none',
    handle: async ({ actor }) => {
      await readAll(actor.user.id);
      return success({}, 'All marked as read');
    },
  }),
  route({
    endpoint: 'PUT /api/notifications/{id}/read',
    access: 'signed-in',
    scope: 'notifications:update',
    summary: 'Mark a notification as read',
    description: 'Repeating the request changes nothing.',
    params,
    output: Success(Notification),
    auditAction: 'none',
    handle: async ({ actor, params: { id } }) =>
      success(toNotification(await read(actor.user.id, id), actor.permissions), 'Marked as read'),
  }),
  route({
    endpoint: 'DELETE /api/notifications/{id}',
    access: 'signed-in',
    scope: 'notifications:update',
    summary: 'Delete a notification',
    description: 'Deletes one of your notifications.',
    params,
    output: Deleted,
    auditAction: 'none',
    handle: async ({ actor, params: { id } }) => {
      await remove(actor.user.id, id);
      return success({ id }, 'Deleted');
    },
  }),
];
