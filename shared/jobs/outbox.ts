import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { keys } from '../db/table.ts';
import { createItemWrite, type Write } from '../db/transaction.ts';
import type { JobType, Message } from './job-type.ts';

/** How long a message waits in the table for a queue that takes nothing: as long as it would be in the queue. */
const retentionSeconds = 4 * 86_400;

/** A message as the table keeps it until the queue takes it, from `dueAt` on (ms since 1970). */
export const outboxMessage = (message: Message, dueAt: number) => ({
  ...keys.outboxJob(new Date(dueAt).toISOString(), message.id),
  message: JSON.stringify(message),
  ttl: Math.ceil(dueAt / 1_000) + retentionSeconds,
});

/**
 * The write that has a job done `delaySeconds` from now or up to a minute later, for the transaction of the change that
 * asks for it: both happen or neither.
 */
export const enqueueWrite = <Schema extends z.ZodType>(
  { name: kind }: JobType<Schema>,
  data: z.input<Schema>,
  { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
): Write => {
  const message: Message = { id: randomUUID(), kind, data };
  const { pk, sk, ...item } = outboxMessage(message, Date.now() + delaySeconds * 1_000);
  return createItemWrite({ pk, sk }, item);
};
