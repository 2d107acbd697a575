import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { createItemWrite, type Write } from '../db/transaction.ts';
import type { JobType, Message } from './job-type.ts';
import { jobKeys } from './keys.ts';

/** Retention of a message in the outbox: as long as in the queue. */
const retentionSeconds = 4 * 86_400;

/** Creates the attributes of a message in the outbox, due at a time (ms since 1970). */
export const outboxMessage = (message: Message, dueAt: number) => ({
  ...jobKeys.outbox.at({ sendAt: new Date(dueAt).toISOString(), id: message.id }),
  message: JSON.stringify(message),
  ttl: Math.ceil(dueAt / 1_000) + retentionSeconds,
});

/**
 * Creates the write that enqueues a job to run after `delaySeconds`, or up to a minute later, for the transaction that
 * requires it: both happen or neither (decisions.md#machinery).
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
