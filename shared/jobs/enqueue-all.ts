import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { forEachAtOnce } from '../runtime/at-once.ts';
import type { JobType } from './job-type.ts';
import { enqueueOrThrow, maxBatchSize, sendBatch } from './queue.ts';

/** Number of batches sent concurrently. */
const atOnce = 8;

/**
 * Enqueues jobs of one type, ten a request. Those that the queue doesn't accept wait in the table.
 * @throws what the table throws if neither accepts one
 */
export const enqueueAll = async <Schema extends z.ZodType>(
  type: JobType<Schema>,
  all: readonly z.input<Schema>[],
): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(all.length / maxBatchSize) }, (_, at) =>
    all.slice(at * maxBatchSize, (at + 1) * maxBatchSize),
  );
  await forEachAtOnce(batches, atOnce, async (batch) => {
    const jobs = batch.map((data) => ({ id: randomUUID(), kind: type.name, data }));
    const taken = await sendBatch(type.queue, jobs).catch(() => new Set<string>());
    for (const { id, data } of jobs) if (!taken.has(id)) await enqueueOrThrow(type, data);
  });
};
