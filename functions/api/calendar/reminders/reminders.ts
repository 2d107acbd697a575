import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { transact, type Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { sendOutbox } from '../../../../shared/jobs/unsent.ts';
import type { ListKey } from '../../../../shared/lists/pagination.ts';
import {
  dueItemsQuery,
  processItems,
  sweepDeadline,
} from '../../../../shared/lists/process-items.ts';
import { parseEvent } from '../record/event.ts';
import { eventReminder } from '../record/jobs.ts';
import { eventKeys } from '../record/keys.ts';
import { parseReminder, scheduleWrite } from '../record/reminder-schedule.ts';
import { findDueReminders } from '../record/reminder-times.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { untilDone } from '../record/store.ts';

/** Enqueues the due reminders of an event and schedules the next. Returns whether any were due. */
const enqueueReminders = (id: number): Promise<boolean> =>
  untilDone(async () => {
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
    const refused = await transact([
      { write: isCurrent, refused: 'changed' },
      { write: scheduleWrite(id, seen, next), refused: 'changed' },
      due.length > 0 ? enqueueWrite(eventReminder, { id, due }) : undefined,
    ]);
    return refused ? undefined : due.length > 0;
  });

/**
 * Enqueues all due reminders, for up to 20 s; the next scheduled run continues. Overdue reminders are sent unless the
 * occurrence is over.
 * @throws the first error, after trying all
 */
export const sendReminders = async (): Promise<void> => {
  const failures: unknown[] = [];
  let hasEnqueued = false;
  const remind = async ({ id }: ListKey) => {
    try {
      if (await enqueueReminders(id as number)) hasEnqueued = true;
    } catch (error) {
      failures.push(error);
    }
  };
  await processItems(
    // Includes the reminders of this millisecond.
    dueItemsQuery(eventKeys.reminders.partition().pk, Date.now() + 1),
    async (items) => {
      await Promise.all(items.map(remind));
    },
    sweepDeadline(),
  );
  // Waiting for the next scheduled run would delay the reminders by a minute.
  if (hasEnqueued) await sendOutbox();
  if (failures.length > 0) throw failures[0];
};
