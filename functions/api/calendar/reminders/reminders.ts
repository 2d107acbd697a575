import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import type { ListKey } from '../../../../shared/db/query.ts';
import { transact, type Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { sendOutbox } from '../../../../shared/jobs/unsent.ts';
import { runEach } from '../../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { parseEvent } from '../record/event.ts';
import { eventReminder } from '../record/jobs.ts';
import { eventKeys } from '../record/keys.ts';
import { parseReminder, scheduleWrite } from '../record/reminder-schedule.ts';
import { findDueReminders } from '../record/reminder-times.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { retryOnConflict } from '../record/store.ts';

/** Enqueues the due reminders of an event and schedules the next. Returns their job as stored, or `false`. */
const enqueueReminders = (id: number): Promise<Item | false> =>
  retryOnConflict(async () => {
    const key = eventKeys.record.at({ id });
    const [item, reminder] = await batchGet([key, eventKeys.reminder.at({ id })]);
    const [event, seen] = [parseEvent(item), parseReminder(reminder)?.at];
    const now = Date.now();
    // The index lags: a concurrent run or an update may have rescheduled the event.
    if (!event || seen === undefined || Date.parse(seen) > now) return false;
    // An invalid event gets no reminders until it is updated.
    const { due, next } = skipInvalid(event, () =>
      findDueReminders(event, Date.parse(seen), now),
    ) ?? { due: [], next: undefined };
    const isCurrent: Write = {
      ConditionCheck: {
        TableName: tableName(),
        Key: key,
        ConditionExpression: 'version = :seen',
        ExpressionAttributeValues: { ':seen': event.version },
      },
    };
    const job = due.length > 0 ? enqueueWrite(eventReminder, { id, due }) : undefined;
    const refused = await transact([
      { write: isCurrent, refused: 'changed' },
      { write: scheduleWrite(id, seen, next), refused: 'changed' },
      job,
    ]);
    return refused ? undefined : (job?.Put?.Item ?? false);
  });

/** Enqueues the due reminders. Overdue ones are sent unless the occurrence is over. */
export const eventReminders: ScheduledWork = {
  name: 'event-reminders',
  due: eventKeys.reminders,
  async run(items, bound) {
    const jobs: Item[] = [];
    const remind = async ({ id }: ListKey) => {
      const job = await enqueueReminders(id as number);
      if (job) jobs.push(job);
    };
    // Waiting for the next scheduled run would delay the reminders by a minute.
    await runEach(items, remind, bound).finally(() => sendOutbox(jobs));
  },
};
