import type { StoredUser } from '../../../../shared/auth/user.ts';
import { compose, isLinkLike } from '../../../../shared/mail/layout.ts';
import type { Email } from '../../../../shared/mail/mail.ts';
import type { Notice } from '../../../../shared/notifications/notification.ts';
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
    link: `/api/calendar/events/${event.id}`,
  };
};

/**
 * Creates the email of a reminder. Before the user accepts an invitation, it repeats nothing that email clients turn into
 * links, because anyone can invite anyone.
 */
export const createReminderEmail = (
  event: StoredEvent,
  reminder: ReminderInstance,
  user: StoredUser,
  host: string,
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
    after: [
      isOwn
        ? 'You set this reminder for an event in your calendar.'
        : 'You’re invited to this event. Decline the invitation to stop reminders.',
    ],
    signature: `You received this email because you have a Handbill account (${user.email}) at ${host}. Replies are not monitored.`,
  });
};
