import * as z from 'zod';
import { Paginated, Success } from '../../../shared/http/envelope.ts';
import { getReadTime, type NotificationCounters } from '../../../shared/notifications/counters.ts';
import { type StoredNotification, types } from '../../../shared/notifications/notification.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import type { Author } from '../../../shared/users/person.ts';

const exampleNotification = {
  id: 244_212_480_012_288,
  type: 'user' as const,
  title: 'A document was shared with you',
  content: '“Minutes of May”',
  read: false,
  readAt: null,
  link: '/api/documents/244212480008192',
  sender: { id: 244_212_480_000_000, name: 'Ann Example', avatar: null },
  action: 'shared a document with you',
  conversationId: null,
  createdAt: '2026-11-21T12:00:00.000Z',
};

/** A notification in its API form. */
export const Notification = z
  .object({
    id: z.int().positive(),
    type: z.enum(types),
    title: z.string(),
    content: z.string().meta({ description: 'The text, without markup.' }),
    read: z.boolean(),
    readAt: z.iso.datetime().nullable(),
    link: z.string().nullable().meta({ description: 'The path of the record on this service.' }),
    sender: z
      .object({ id: z.int().positive(), name: z.string(), avatar: z.string().nullable() })
      .nullable()
      .meta({
        description: 'Who caused it. A deleted user has the name as it was. `null`: the service.',
      }),
    action: z.string().nullable().meta({
      description: 'What the sender did, as it follows a name. `null`: only the title says it.',
    }),
    conversationId: z.int().positive().nullable().meta({
      description: 'Of a message: its conversation, by which a client can group notifications.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Notification', examples: [exampleNotification] });

export const NotificationPage = Paginated(Notification).meta({
  id: 'NotificationPage',
  examples: [
    {
      success: true,
      data: {
        items: [exampleNotification],
        total: 1,
        totalIsExact: true,
        page: 1,
        pageSize: 10,
        totalPages: 1,
        nextCursor: null,
      },
    } as never,
  ],
});

export const UnreadCount = Success(z.object({ count: z.int().nonnegative() })).meta({
  id: 'UnreadCount',
  examples: [{ success: true, data: { count: 3 } }],
});

export const UserUpdates = Success(
  z.object({
    unreadMessages: z.int().nonnegative().meta({ description: '0 without `messages:view`.' }),
    unreadNotifications: z.int().nonnegative(),
    calendarVersion: z.int().nonnegative().meta({
      description:
        'Increases with each change of your calendar: your own, an invitation, a response. 0 without `calendar:view`.',
    }),
    reportedShares: z.int().nonnegative().meta({
      description:
        'Shares and share requests that wait for a decision, at most 100. 0 without `shares:manage`.',
    }),
  }),
).meta({
  id: 'UserUpdates',
  examples: [
    {
      success: true,
      data: { unreadMessages: 3, unreadNotifications: 2, calendarVersion: 17, reportedShares: 0 },
    },
  ],
});

export const NotificationsRead = Success(z.object({})).meta({
  id: 'NotificationsRead',
  examples: [{ success: true, data: {}, message: 'All marked as read' }],
});

/** A notification with its counters and sender. */
export interface FoundNotification {
  readonly notification: StoredNotification;
  readonly counters: NotificationCounters | undefined;
  readonly sender: Author | null;
}

/** Converts a notification to its API form for a user with these permissions. */
export const toNotification = (
  { notification, counters, sender }: FoundNotification,
  permissions: readonly string[],
): z.output<typeof Notification> => {
  const { id, type, title, permission, createdAt } = notification;
  const { link = null, action = null, conversationId = null } = notification;
  const canRead = permission === undefined || can(permissions, permission);
  const content = canRead ? notification.content : `You need ${permission} to read it.`;
  const readAt = getReadTime(notification, counters) ?? null;
  const read = readAt !== null;
  return {
    id,
    type,
    title,
    content,
    read,
    readAt,
    link,
    sender,
    action,
    conversationId,
    createdAt,
  };
};
