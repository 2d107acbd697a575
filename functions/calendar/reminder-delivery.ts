import { batchGet } from '../../shared/dynamodb.ts';
import { retrying } from '../../shared/retrying.ts';
import { setting } from '../../shared/settings.ts';
import { keys } from '../../shared/table.ts';
import { putNew, transact } from '../../shared/transaction.ts';
import type { StoredUser } from '../../shared/user.ts';
import { sendMail } from '../jobs/mail.ts';
import { jobWrite } from '../jobs/outbox.ts';
import { newNotification } from '../notifications/notify.ts';
import { type StoredEvent, tickOf } from './event.ts';
import { startsAt } from './recurrence.ts';
import { reminderMail, reminderNotice } from './reminder-texts.ts';
import { isPointless, type Reminding } from './reminder-times.ts';
import { recurrenceIn } from './schedule.ts';
import { find } from './store.ts';

/** How many users are reminded side by side. */
const atOnce = 10;
/** Longer than a job lives in the queue and among the dead letters. */
const rememberSeconds = 19 * 86_400;

/** Does the event still take place then? */
const isStillOn = (event: StoredEvent, { start, recurrenceId }: Reminding): boolean => {
  const recurrence = recurrenceIn(event);
  if (!recurrence || recurrenceId === undefined) return !recurrence && event.start === start;
  // What was a date has become a time, or the other way round.
  if (recurrenceId.includes('T') === event.allDay) return false;
  if (event.exdates.includes(recurrenceId)) return false;
  const override = event.overrides.find((one) => one.recurrenceId === recurrenceId);
  if (override) return override.start === start;
  return start === recurrenceId && startsAt(recurrence, tickOf(event, start));
};

/** Is there a reason to remind people of it now? */
const isWorthIt = (event: StoredEvent, reminding: Reminding): boolean =>
  isStillOn(event, reminding) && !isPointless(event, reminding, Date.now());

const isConcerned = ({ ownerId, attendees }: StoredEvent, userId: number): boolean =>
  ownerId === userId || attendees.some(({ id, status }) => id === userId && status !== 'declined');

const recipientsOf = (event: StoredEvent): readonly number[] =>
  [event.ownerId, ...event.attendees.map(({ id }) => id)].filter((id) => isConcerned(event, id));

const untilTold = retrying('The user is told of too much at once: try again');

/** Notification and mail are asked for in one transaction, which is done once for this user, occurrence and reminder. */
const remindOne = (event: StoredEvent, reminding: Reminding, userId: number): Promise<true> =>
  untilTold(async () => {
    const [item, box] = await batchGet([keys.user(userId), keys.notificationBox(userId)]);
    const user = item as unknown as StoredUser | undefined;
    if (user?.status !== 'active') return true;
    const { id } = event;
    const { start, minutes } = reminding;
    const ttl = Math.ceil(Date.now() / 1_000) + rememberSeconds;
    const failed = await transact({
      notified: putNew(keys.notified(userId, `event-reminder#${id}#${start}#${minutes}`), { ttl }),
      ...newNotification(userId, box, reminderNotice(event, reminding, user)),
      mail:
        setting('MAIL_FROM') === undefined
          ? undefined
          : jobWrite('event-reminder-mail', { id, userId, ...reminding }),
    });
    return !failed || failed.notified ? true : undefined;
  });

/**
 * Reminds the owner and the attendees who have not declined, each once however often this is asked for: of what was moved
 * or cancelled since, nobody. All are tried, also after one for whom it failed.
 * @throws what the first that failed threw
 */
export const deliverReminders = async ({
  id,
  due,
}: {
  readonly id: number;
  readonly due: readonly Reminding[];
}): Promise<void> => {
  const event = await find(id);
  if (!event) return;
  const failures: unknown[] = [];
  for (const reminding of due.filter((one) => isWorthIt(event, one))) {
    const userIds = recipientsOf(event);
    for (let at = 0; at < userIds.length; at += atOnce) {
      await Promise.all(
        userIds
          .slice(at, at + atOnce)
          .map((userId) =>
            remindOne(event, reminding, userId).catch((error) => failures.push(error)),
          ),
      );
    }
  }
  if (failures.length > 0) throw failures[0];
};

/** Sends a user the mail of a reminder, if mail is on and there is still a reason for it. */
export const sendReminderMail = async ({
  id,
  userId,
  ...reminding
}: Reminding & { readonly id: number; readonly userId: number }): Promise<void> => {
  if (setting('MAIL_FROM') === undefined) return;
  const [event, [item]] = await Promise.all([find(id), batchGet([keys.user(userId)])]);
  const user = item as unknown as StoredUser | undefined;
  if (!event || user?.status !== 'active' || !isConcerned(event, userId)) return;
  if (!isWorthIt(event, reminding)) return;
  const { host } = new URL(setting('PUBLIC_URL'));
  await sendMail(reminderMail(event, reminding, user, host));
};
