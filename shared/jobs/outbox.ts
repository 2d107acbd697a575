import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { createItemWrite, type Write } from '../db/transaction.ts';
import type { JobQueue } from './job-queue.ts';
import type { JobType, Message } from './job-type.ts';
import { jobKeys } from './keys.ts';

/** Creates the attributes of a message for a queue, due at a time (ms since 1970). It stays until it is sent. */
export const outboxMessage = (queue: JobQueue, message: Message, dueAt: number) => ({
  ...jobKeys.outbox.at({ at: new Date(dueAt).toISOString(), id: message.id }),
  queue,
  message: JSON.stringify(message),
});

/**
 * Creates the write that enqueues a job to run after `delaySeconds`, or up to a minute later, for the transaction that
 * requires it: both happen or neither (decisions.md#machinery).
 */
export const enqueueWrite = <Schema extends z.ZodType>(
  { name: kind, queue }: JobType<Schema>,
  data: z.input<Schema>,
  { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
): Write => {
  const message: Message = { id: randomUUID(), kind, data };
  const { pk, sk, ...item } = outboxMessage(queue, message, Date.now() + delaySeconds * 1_000);
  return createItemWrite({ pk, sk }, item);
};
