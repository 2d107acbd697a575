import type { Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import type { Notice, Sender } from '../../../../shared/notifications/notification.ts';
import { notifyEach } from '../../../../shared/notifications/notify.ts';
import { changeMark } from '../record/changes.ts';
import { canView, getEventSpan, type StoredEvent } from '../record/event.ts';
import {
  type EventNotification,
  type EventNotificationKind,
  eventNotification,
} from '../record/jobs.ts';
import { findReadable } from '../record/store.ts';
import { formatWhen } from '../record/when.ts';

/** What happened, and what someone did. */
const texts: Readonly<Record<EventNotificationKind, readonly [title: string, action: string]>> = {
  invited: ['You’re invited to an event', 'invited you to an event'],
  changed: ['Event updated', 'updated an event'],
  cancelled: ['Event canceled', 'canceled an event'],
  uninvited: ['You were removed from an event', 'removed you from an event'],
  accepted: ['Invitation accepted', 'accepted your invitation'],
  declined: ['Invitation declined', 'declined your invitation'],
  tentative: ['Invitation tentatively accepted', 'tentatively accepted your invitation'],
};

const toNotificationContent = (
  { id, title, by, start }: EventNotification,
  kind: EventNotificationKind,
  zone: string,
): Notice => {
  const isGone = kind === 'cancelled' || kind === 'uninvited';
  const [text, action] = texts[kind];
  return {
    topic: 'events',
    type: 'user',
    title: text,
    content: start === undefined ? `“${title}”` : `“${title}”: ${formatWhen(start, zone)}`,
    permission: 'calendar:view',
    ...(!isGone && { link: `/api/calendar/events/${id}` }),
    ...(by && { sender: by, action }),
  };
};

/** Notifies users about an event, each once even if repeated. Skips users who can’t see an existing event. */
export const notifyAttendees = async (notification: EventNotification): Promise<void> => {
  const { id, version, by, recipients } = notification;
  const [event] = await findReadable(undefined, [id]);
  const zone = event?.timezone ?? 'UTC';
  for (const { kind, userIds } of recipients) {
    const isGone = kind === 'cancelled' || kind === 'uninvited';
    const readers = userIds.filter((userId) => isGone || (event && canView(userId, event)));
    await notifyEach(
      readers,
      (user) => ({
        notice: toNotificationContent(notification, kind, user.timezone ?? zone),
        alongside: changeMark(user.id),
      }),
      `event-${kind}#${id}#${version}#${by?.id ?? ''}`,
    );
  }
};

const isOver = (event: StoredEvent): boolean => {
  const { over } = getEventSpan(event);
  return over !== undefined && over < Date.now();
};

/** Returns the write that notifies users, for the transaction of the change; `undefined` if there is no one to notify. `start` is that of the only occurrence concerned. */
export const notificationWrite = (
  event: StoredEvent,
  by: Sender | undefined,
  recipients: EventNotification['recipients'],
  start?: string,
): Write | undefined => {
  const nonEmpty = recipients.filter(({ userIds }) => userIds.length > 0);
  // Changes of past events need no notification.
  if (nonEmpty.length === 0 || isOver(event)) return undefined;
  const { id, title, version } = event;
  return enqueueWrite(eventNotification, {
    id,
    title,
    version,
    ...(start !== undefined && { start }),
    by: by && { id: by.id, name: by.name },
    recipients: nonEmpty,
  });
};
