import type { StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { notifyEach } from '../../../../shared/notifications/notify.ts';
import { can, getEffectivePermissions } from '../../../../shared/permissions/permissions.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { type StoredEvent, toSortableTime } from '../record/event.ts';
import { eventReminderMail } from '../record/jobs.ts';
import { isObsolete, type ReminderInstance } from '../record/reminder-times.ts';
import { parseRecurrence } from '../record/schedule.ts';
import { findReadable } from '../record/store.ts';
import { isStart } from '../recurrence/recurrence.ts';
import { reminderMail, reminderNotice } from './texts.ts';

/** Does the event still take place then? */
const isStillOn = (event: StoredEvent, { start, recurrenceId }: ReminderInstance): boolean => {
  const recurrence = parseRecurrence(event);
  if (!recurrence || recurrenceId === undefined) return !recurrence && event.start === start;
  // What was a date has become a time, or the other way round.
  if (recurrenceId.includes('T') === event.allDay) return false;
  if (event.exdates.includes(recurrenceId)) return false;
  const override = event.overrides.find((one) => one.recurrenceId === recurrenceId);
  if (override) return override.start === start;
  return start === recurrenceId && isStart(recurrence, toSortableTime(event, start));
};

/** Is there a reason to remind people of it now? */
const isWorthIt = (event: StoredEvent, reminding: ReminderInstance): boolean =>
  isStillOn(event, reminding) && !isObsolete(event, reminding, Date.now());

const isConcerned = ({ ownerId, attendees }: StoredEvent, userId: number): boolean =>
  ownerId === userId || attendees.some(({ id, status }) => id === userId && status !== 'declined');

const listRecipients = (event: StoredEvent): readonly number[] =>
  [event.ownerId, ...event.attendees.map(({ id }) => id)].filter((id) => isConcerned(event, id));

/**
 * Reminds the owner and the attendees who have not declined, each once however often this is asked for: of what was moved
 * or cancelled since, nobody. Notification and mail are asked for in one transaction. All are tried, also after one for
 * whom it failed.
 * @throws what the first that failed threw
 */
export const deliverReminders = async ({
  id,
  due,
}: {
  readonly id: number;
  readonly due: readonly ReminderInstance[];
}): Promise<void> => {
  const [event] = await findReadable(undefined, [id]);
  if (!event) return;
  const withMail = getSetting('MAIL_FROM') !== undefined;
  const failures: unknown[] = [];
  for (const reminding of due.filter((one) => isWorthIt(event, one))) {
    const remind = (user: StoredUser) => {
      if (user.status !== 'active') return undefined;
      const mail = { id, userId: user.id, ...reminding };
      return {
        notice: reminderNotice(event, reminding, user),
        ...(withMail && { alongside: { mail: enqueueWrite(eventReminderMail, mail) } }),
      };
    };
    const { start, minutes } = reminding;
    const happening = `event-reminder#${id}#${start}#${minutes}`;
    await notifyEach(listRecipients(event), remind, happening).catch((error) =>
      failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
};

/** May the user look at a calendar? Who may not is told by a notification, which hides of what. */
const canViewEvent = ({ role, extraPermissions }: StoredUser): boolean =>
  can(getEffectivePermissions(role, extraPermissions), 'calendar:view');

/** Sends a user who may look at a calendar the mail of a reminder, if mail is on and there is still a reason for it. */
export const sendReminderMail = async ({
  id,
  userId,
  ...reminding
}: ReminderInstance & { readonly id: number; readonly userId: number }): Promise<void> => {
  if (getSetting('MAIL_FROM') === undefined) return;
  const [[event], [item]] = await Promise.all([
    findReadable(undefined, [id]),
    batchGet([keys.user(userId)]),
  ]);
  const user = item as unknown as StoredUser | undefined;
  if (!event || user?.status !== 'active' || !canViewEvent(user)) return;
  if (!isConcerned(event, userId)) return;
  if (!isWorthIt(event, reminding)) return;
  const { host } = new URL(getSetting('PUBLIC_URL'));
  await sendMail(reminderMail(event, reminding, user, host));
};
