import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { keys } from '../db/table.ts';
import { putNew, type Write } from '../db/transaction.ts';
import type { JobType, Message } from './job-type.ts';

/** How long a message waits in the table for a queue that takes nothing: as long as it would be in the queue. */
const keepSeconds = 4 * 86_400;

/** A message as the table keeps it until the queue takes it, from `dueAt` on (ms since 1970). */
export const keptMessage = (message: Message, dueAt: number) => ({
  ...keys.unsentJob(new Date(dueAt).toISOString(), message.id),
  message: JSON.stringify(message),
  ttl: Math.ceil(dueAt / 1_000) + keepSeconds,
});

/**
 * The write that has a job done `delaySeconds` from now or up to a minute later, for the transaction of the change that
 * asks for it: both happen or neither.
 */
export const jobWrite = <Schema extends z.ZodType>(
  { name: kind }: JobType<Schema>,
  data: z.input<Schema>,
  { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
): Write => {
  const message: Message = { id: randomUUID(), kind, data };
  const { pk, sk, ...item } = keptMessage(message, Date.now() + delaySeconds * 1_000);
  return putNew({ pk, sk }, item);
};
