import type { Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import type { NotificationContent } from '../../../../shared/notifications/notification.ts';
import { notify } from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { canView, getEventSpan, type StoredEvent } from '../record/event.ts';
import { eventTold } from '../record/jobs.ts';
import type { EventNotificationKind } from '../record/notification-kinds.ts';
import { findReadable } from '../record/store.ts';

/** Something that users are told of an event, by whose doing. */
export interface EventNotification {
  readonly id: number;
  readonly title: string;
  /** Of the event, once it had happened: by it and by whose doing the happening is told from every other of the event. */
  readonly version: number;
  /** Absent where the service did it. */
  readonly by?: number | undefined;
  readonly told: readonly {
    readonly what: EventNotificationKind;
    readonly userIds: readonly number[];
  }[];
}

const titles: Readonly<Record<EventNotificationKind, string>> = {
  invited: 'You are invited to an event',
  changed: 'An event you are invited to has changed',
  cancelled: 'An event you were invited to was cancelled',
  uninvited: 'You are no longer invited to an event',
  accepted: 'Your invitation was accepted',
  declined: 'Your invitation was declined',
  tentative: 'Your invitation was accepted tentatively',
};

const toNotificationContent = (
  { id, title, by }: EventNotification,
  what: EventNotificationKind,
): NotificationContent => {
  if (what === 'invited' && by !== undefined)
    return notificationTemplates.eventInvitation({ id, title }, by);
  const isGone = what === 'cancelled' || what === 'uninvited';
  return {
    type: 'user',
    title: titles[what],
    content: `“${title}”`,
    permission: 'calendar:view',
    ...(!isGone && { link: `/api/calendar/events/${id}` }),
    ...(by !== undefined && { senderId: by }),
  };
};

/** Tells users what has happened to an event, each once however often this is asked for; of one that is there, those who see it. */
export const notifyAttendees = async (telling: EventNotification): Promise<void> => {
  const { id, version, by, told } = telling;
  const [event] = await findReadable(undefined, [id]);
  for (const { what, userIds } of told) {
    const isGone = what === 'cancelled' || what === 'uninvited';
    const concerned = userIds.filter((userId) => isGone || (event && canView(userId, event)));
    await notify(
      concerned,
      toNotificationContent(telling, what),
      `event-${what}#${id}#${version}#${by ?? ''}`,
    );
  }
};

const isOver = (event: StoredEvent): boolean => {
  const { over } = getEventSpan(event);
  return over !== undefined && over < Date.now();
};

/** The write that has users told, for the transaction of what has happened; none where nobody is to be told of it. */
export const notificationWrite = (
  event: StoredEvent,
  by: number | undefined,
  told: EventNotification['told'],
): Write | undefined => {
  const some = told.filter(({ userIds }) => userIds.length > 0);
  // Nobody has to know any more what becomes of the past.
  if (some.length === 0 || isOver(event)) return undefined;
  const { id, title, version } = event;
  return enqueueWrite(eventTold, {
    id,
    title,
    version,
    by,
    told: some.map(({ what, userIds }) => ({ what, userIds: [...userIds] })),
  });
};
