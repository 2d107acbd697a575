import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { keys, schema } from '../../../../shared/db/table.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { sendOutbox } from '../../../../shared/jobs/unsent.ts';
import type { ListKey } from '../../../../shared/lists/pagination.ts';
import { processItems, sweepDeadline } from '../../../../shared/lists/process-items.ts';
import type { StoredEvent } from '../record/event.ts';
import { eventReminder } from '../record/jobs.ts';
import { moveTo, type ReminderItem } from '../record/reminder-schedule.ts';
import { dueReminders } from '../record/reminder-times.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { untilDone } from '../record/store.ts';

/** Leaves the job of what is due of one event, and moves it on. Says whether there was something due. */
const queueReminder = (id: number): Promise<boolean> =>
  untilDone(async () => {
    const [event, item] = await batchGet([keys.event(id), keys.eventReminder(id)]);
    const seen = (item as unknown as ReminderItem | undefined)?.at;
    const now = Date.now();
    // The index lags: another sweep or a change of the event may have moved it on.
    if (!event || seen === undefined || Date.parse(seen) > now) return false;
    const stored = event as unknown as StoredEvent;
    // Nobody is reminded of what is broken, and nothing looks at it again until it is mended.
    const { due, next } = skipInvalid(stored, () =>
      dueReminders(stored, Date.parse(seen), now),
    ) ?? { due: [], next: undefined };
    const failed = await transact({
      event: {
        ConditionCheck: {
          TableName: tableName(),
          Key: keys.event(id),
          ConditionExpression: 'version = :seen',
          ExpressionAttributeValues: { ':seen': stored.version },
        },
      },
      reminder: moveTo(id, seen, next),
      job: due.length > 0 ? enqueueWrite(eventReminder, { id, due: [...due] }) : undefined,
    });
    return failed ? undefined : due.length > 0;
  });

/**
 * Has people reminded of the events whose time for it has come, some side by side, for 20 s; the next minute's sweep sees to
 * the rest. What was due while nothing ran is made up for, unless it is over.
 * @throws what the first that failed threw, after all were tried
 */
export const sendReminders = async (): Promise<void> => {
  const failures: unknown[] = [];
  let hasLeft = false;
  const remind = async ({ id }: ListKey) => {
    try {
      if (await queueReminder(id as number)) hasLeft = true;
    } catch (error) {
      failures.push(error);
    }
  };
  await processItems(
    {
      IndexName: schema.index.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :over',
      ExpressionAttributeValues: {
        ':pk': keys.eventReminders('', 0).pk,
        // An id follows the time: `~` is behind every one of that very millisecond.
        ':over': `${new Date().toISOString()}#~`,
      },
    },
    async (items) => {
      await Promise.all(items.map(remind));
    },
    sweepDeadline(),
  );
  // A reminder that waits for the next minute's turn is late.
  if (hasLeft) await sendOutbox();
  if (failures.length > 0) throw failures[0];
};
