import { readRolesOf } from '../../../../shared/auth/custom-roles.ts';
import { isActive, isMailable, type StoredUser } from '../../../../shared/auth/user.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { notifyEach } from '../../../../shared/notifications/notify.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { getEffectivePermissions } from '../../../../shared/permissions/roles.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import { getAnswer } from '../record/answers.ts';
import { findOverride, type StoredEvent, toSortableTime } from '../record/event.ts';
import {
  type DueReminders,
  eventReminderEmail,
  type ReminderEmail,
  type ReminderInstance,
} from '../record/jobs.ts';
import { isObsolete } from '../record/reminder-times.ts';
import { parseRecurrence } from '../record/schedule.ts';
import { findReadable } from '../record/store.ts';
import { isStart } from '../recurrence/recurrence.ts';
import { createReminderEmail, createReminderNotification } from './templates.ts';

/** Reports whether the occurrence still takes place at that time. */
const isStillScheduled = (
  event: StoredEvent,
  { start, recurrenceId }: ReminderInstance,
): boolean => {
  const recurrence = parseRecurrence(event);
  if (!recurrence || recurrenceId === undefined) return !recurrence && event.start === start;
  // The event has become all-day or timed.
  if (recurrenceId.includes('T') === event.allDay) return false;
  if (event.exdates.includes(recurrenceId)) return false;
  const override = findOverride(event, recurrenceId);
  if (override) return override.start === start;
  return start === recurrenceId && isStart(recurrence, toSortableTime(event, start));
};

/** Reports whether the reminder is still relevant. */
const isRelevant = (event: StoredEvent, reminder: ReminderInstance): boolean =>
  isStillScheduled(event, reminder) && !isObsolete(event, reminder, Date.now());

const listRecipients = (
  { ownerId, attendees }: StoredEvent,
  { recurrenceId }: ReminderInstance,
): readonly number[] => [
  ownerId,
  ...attendees
    .filter((attendee) => getAnswer(attendee, recurrenceId) !== 'declined')
    .map(({ id }) => id),
];

/**
 * Sends due reminders to the owner and the attendees who have not declined the occurrence, each once even if repeated. Skips occurrences
 * that have since been moved or canceled. One transaction writes the notification and enqueues the email.
 * @throws the first error, after trying all
 */
export const deliverReminders = async ({ id, due }: DueReminders): Promise<void> => {
  const [event] = await findReadable(undefined, [id]);
  if (!event) return;
  const isEmailed = isMailOn();
  const failures: unknown[] = [];
  for (const reminder of due.filter((instance) => isRelevant(event, instance))) {
    const remind = (user: StoredUser) => {
      if (!isActive(user)) return undefined;
      const email = { id, userId: user.id, ...reminder };
      return {
        notice: createReminderNotification(event, reminder, user),
        email: isEmailed ? enqueueWrite(eventReminderEmail, email) : ('none' as const),
      };
    };
    const { start, minutes } = reminder;
    const dedupKey = `event-reminder#${id}#${start}#${minutes}`;
    await notifyEach(listRecipients(event, reminder), remind, dedupKey).catch((error) =>
      failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
};

/** Reports whether the user can view calendars. Others get only the notification, which hides its content. */
const canViewCalendar = async (user: StoredUser): Promise<boolean> =>
  can(getEffectivePermissions(user, await readRolesOf([user])), 'calendar:view');

/** Emails a reminder to a user who can view calendars, if email is enabled and the reminder still relevant. */
export const sendReminderEmail = async ({
  id,
  userId,
  ...reminder
}: ReminderEmail): Promise<void> => {
  if (!isMailOn()) return;
  const [[event], users] = await Promise.all([findReadable(undefined, [id]), readUsers([userId])]);
  const user = users.get(userId);
  if (!event || !isMailable(user) || !(await canViewCalendar(user))) return;
  if (!listRecipients(event, reminder).includes(userId)) return;
  if (!isRelevant(event, reminder)) return;
  await sendMail(createReminderEmail(event, reminder, user, getSetting('PUBLIC_URL')));
};
