import type { StoredUser } from '../../../../shared/auth/user.ts';
import { compose, isLinkLike } from '../../../../shared/mail/layout.ts';
import type { Email } from '../../../../shared/mail/mail.ts';
import type { Notice } from '../../../../shared/notifications/notification.ts';
import { toPagePath } from '../../../../shared/notifications/page-path.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import { getAnswer } from '../record/answers.ts';
import { findOverride, type StoredEvent } from '../record/event.ts';
import type { ReminderInstance } from '../record/jobs.ts';
import { formatWhen } from '../record/when.ts';

/** An occurrence as a reminder describes it. */
interface Description {
  readonly title: string;
  readonly location: string | undefined;
  readonly when: string;
}

const describeOccurrence = (
  event: StoredEvent,
  { start, recurrenceId }: ReminderInstance,
  { timezone }: StoredUser,
): Description => {
  const override = findOverride(event, recurrenceId);
  return {
    title: override?.title ?? event.title,
    location: override?.location ?? event.location,
    when: formatWhen(start, timezone ?? event.timezone),
  };
};

const getEventLink = ({ id }: StoredEvent): string => `/api/calendar/events/${id}`;

/** Creates the notification of a reminder, in the user's time zone. */
export const createReminderNotification = (
  event: StoredEvent,
  reminder: ReminderInstance,
  user: StoredUser,
): Notice => {
  const { title, location, when } = describeOccurrence(event, reminder, user);
  return {
    topic: 'reminders',
    type: event.type === 'task' ? 'task' : 'alert',
    title: event.type === 'task' ? 'Task reminder' : 'Event reminder',
    content: `“${title}”: ${when}${location === undefined ? '' : `, ${location}`}`,
    permission: 'calendar:view',
    link: getEventLink(event),
  };
};

/**
 * Creates the email of a reminder. `url` is that of the service. Before the user accepts an invitation, it repeats nothing
 * that email clients turn into links, because anyone can invite anyone.
 */
export const createReminderEmail = (
  event: StoredEvent,
  reminder: ReminderInstance,
  user: StoredUser,
  url: string,
): Email => {
  const occurrence = describeOccurrence(event, reminder, user);
  const isOwn = event.ownerId === user.id;
  const isTrusted =
    isOwn ||
    event.attendees.some(
      (attendee) =>
        attendee.id === user.id && getAnswer(attendee, reminder.recurrenceId) === 'accepted',
    );
  const title = isTrusted || !isLinkLike(occurrence.title) ? occurrence.title : 'An event';
  const location = isTrusted ? occurrence.location : undefined;
  return compose({
    to: user.email,
    name: user.name,
    subject: `Reminder: ${title}`,
    before: [
      `${title}: ${occurrence.when}.`,
      ...(location === undefined ? [] : [`Location: ${location}`]),
    ],
    action: {
      label: event.type === 'task' ? 'Open task' : 'Open event',
      url: `${url}${toPagePath(getEventLink(event))}`,
    },
    after: [
      isOwn
        ? 'You set this reminder for an event in your calendar.'
        : 'You’re invited to this event. Decline the invitation to stop reminders.',
    ],
    signature: `You received this email because you have a Handbill account (${toShownEmail(user.email)}) at ${new URL(url).host}. Replies are not monitored.`,
  });
};
