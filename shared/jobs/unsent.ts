import { batchDelete } from '../db/batch-delete.ts';
import type { Key } from '../db/key.ts';
import { awaitAll } from '../runtime/at-once.ts';
import { getSetting, isMailOn } from '../runtime/settings.ts';
import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import type { JobQueue } from './job-queue.ts';
import { Message } from './job-type.ts';
import { jobKeys } from './keys.ts';
import { maxBatchSize, sendBatch } from './queue.ts';

interface Unsent {
  readonly item: Key;
  readonly queue: JobQueue;
  readonly message: Message;
}

const parseUnsent = (item: Readonly<Record<string, unknown>>): Unsent => ({
  item: item as object as Key,
  queue: item['queue'] as JobQueue,
  message: Message.parse(JSON.parse(item['message'] as string)),
});

/** Returns whether anything receives from a queue: nothing from that of emails without a sender, nor where webhooks are off. */
const isReceived = (queue: JobQueue): boolean => {
  if (queue === 'mail') return isMailOn();
  return queue !== 'hooks' || getSetting('WEBHOOKS') === 'on';
};

const sendTo = async (queue: JobQueue, unsent: readonly Unsent[]): Promise<void> => {
  const sent: Key[] = isReceived(queue) ? [] : unsent.map(({ item }) => item);
  try {
    if (sent.length > 0) return;
    for (let at = 0; at < unsent.length; at += maxBatchSize) {
      const batch = unsent.slice(at, at + maxBatchSize);
      const taken = await sendBatch(
        queue,
        batch.map(({ message }) => message),
      );
      sent.push(...batch.filter(({ message }) => taken.has(message.id)).map(({ item }) => item));
    }
  } finally {
    await batchDelete(sent);
  }
};

/**
 * Sends jobs of the outbox to their queues and deletes them there. A job that is sent but not deleted is sent again with
 * the same id. One that its queue rejects does not stop the others. Emails and webhooks are dropped where they are off.
 * @throws what a queue throws while it accepts nothing, after the jobs of the other queues
 */
export const sendOutbox = async (
  items: readonly Readonly<Record<string, unknown>>[],
): Promise<void> => {
  const queues = Map.groupBy(items.map(parseUnsent), ({ queue }) => queue);
  await awaitAll([...queues].map(([queue, unsent]) => sendTo(queue, unsent)));
};

/** Sends the due jobs of the outbox. */
export const unsentJobs: ScheduledWork = {
  name: 'unsent-jobs',
  due: jobKeys.outbox,
  run: sendOutbox,
};
