import type { StoredUser } from '../../../../shared/auth/user.ts';
import { compose, isLinkLike } from '../../../../shared/mail/layout.ts';
import type { Email } from '../../../../shared/mail/mail.ts';
import type { NotificationContent } from '../../../../shared/notifications/notification.ts';
import { type Override, type StoredEvent, toSortableTime } from '../record/event.ts';
import type { ReminderInstance } from '../record/reminder-times.ts';

/** One time that an event takes place, as people are reminded of it. */
interface Shown {
  readonly title: string;
  readonly location: string | undefined;
  readonly when: string;
}

const dateFormat = (timeZone: string, timeStyle: 'short' | undefined) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle, timeZone });

const formatWhen = (event: StoredEvent, start: string, zone: string): string => {
  const tick = toSortableTime(event, start);
  if (event.allDay) return `on ${dateFormat('UTC', undefined).format(tick)}`;
  return `on ${dateFormat(zone, 'short').format(tick)} (${zone})`;
};

const formatEvent = (
  event: StoredEvent,
  { start, recurrenceId }: ReminderInstance,
  { timezone }: StoredUser,
): Shown => {
  const override: Partial<Override> =
    event.overrides.find((one) => one.recurrenceId === recurrenceId) ?? {};
  return {
    title: override.title ?? event.title,
    location: override.location ?? event.location,
    when: formatWhen(event, start, timezone ?? event.timezone),
  };
};

/** What the notification of a reminder says to a user, in the user's time zone. */
export const reminderNotice = (
  event: StoredEvent,
  reminding: ReminderInstance,
  user: StoredUser,
): NotificationContent => {
  const { title, location, when } = formatEvent(event, reminding, user);
  return {
    type: event.type === 'task' ? 'task' : 'alert',
    title: event.type === 'task' ? 'Reminder of a task' : 'Reminder of an event',
    content: `“${title}” ${when}${location === undefined ? '' : `, ${location}`}`,
    permission: 'calendar:view',
    link: `/api/calendar/events/${event.id}`,
  };
};

/**
 * The mail of a reminder to a user. Of an invitation that was not accepted it repeats nothing that mail programs would
 * make a link of: anybody who may make events can invite anybody.
 */
export const reminderMail = (
  event: StoredEvent,
  reminding: ReminderInstance,
  user: StoredUser,
  host: string,
): Email => {
  const shown = formatEvent(event, reminding, user);
  const isOwn = event.ownerId === user.id;
  const isWanted =
    isOwn || event.attendees.some(({ id, status }) => id === user.id && status === 'accepted');
  const title = isWanted || !isLinkLike(shown.title) ? shown.title : 'An event';
  const location = isWanted ? shown.location : undefined;
  return compose({
    to: user.email,
    name: user.name,
    subject: `Reminder: ${title}`,
    before: [
      `${title} ${event.type === 'task' ? 'is planned' : 'is'} ${shown.when}.`,
      ...(location === undefined ? [] : [`Where: ${location}`]),
    ],
    after: [
      isOwn
        ? 'You asked for this reminder: it is one of those of the event in your calendar.'
        : 'You are invited to this event. Who declines the invitation gets no reminders of it.',
    ],
    signature: `Sent by Handbill at ${host} because of your account ${user.email}. Nobody reads replies.`,
  });
};
