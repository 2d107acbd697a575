import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { schema } from '../../../../shared/db/key.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { sendOutbox } from '../../../../shared/jobs/unsent.ts';
import type { ListKey } from '../../../../shared/lists/pagination.ts';
import { processItems, sweepDeadline } from '../../../../shared/lists/process-items.ts';
import type { StoredEvent } from '../record/event.ts';
import { eventReminder } from '../record/jobs.ts';
import { eventKeys } from '../record/keys.ts';
import { type ReminderItem, scheduleWrite } from '../record/reminder-schedule.ts';
import { findDueReminders } from '../record/reminder-times.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { untilDone } from '../record/store.ts';

/** Enqueues the due reminders of an event and schedules the next. Returns whether any were due. */
const enqueueReminders = (id: number): Promise<boolean> =>
  untilDone(async () => {
    const [event, item] = await batchGet([
      eventKeys.record.at({ id }),
      eventKeys.reminder.at({ id }),
    ]);
    const seen = (item as unknown as ReminderItem | undefined)?.at;
    const now = Date.now();
    // The index lags: a concurrent run or an update may have rescheduled the event.
    if (!event || seen === undefined || Date.parse(seen) > now) return false;
    const stored = event as unknown as StoredEvent;
    // An invalid event gets no reminders until it is updated.
    const { due, next } = skipInvalid(stored, () =>
      findDueReminders(stored, Date.parse(seen), now),
    ) ?? { due: [], next: undefined };
    const failed = await transact({
      event: {
        ConditionCheck: {
          TableName: tableName(),
          Key: eventKeys.record.at({ id }),
          ConditionExpression: 'version = :seen',
          ExpressionAttributeValues: { ':seen': stored.version },
        },
      },
      reminder: scheduleWrite(id, seen, next),
      job: due.length > 0 ? enqueueWrite(eventReminder, { id, due }) : undefined,
    });
    return failed ? undefined : due.length > 0;
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
    {
      IndexName: schema.index.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :over',
      ExpressionAttributeValues: {
        ':pk': eventKeys.reminders.partition().pk,
        // An id follows the time: `~` sorts after all ids of that millisecond.
        ':over': `${new Date().toISOString()}#~`,
      },
    },
    async (items) => {
      await Promise.all(items.map(remind));
    },
    sweepDeadline(),
  );
  // Waiting for the next scheduled run would delay the reminders by a minute.
  if (hasEnqueued) await sendOutbox();
  if (failures.length > 0) throw failures[0];
};
