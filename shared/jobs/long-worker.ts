import type * as z from 'zod';
import type { Deadline } from '../lists/process-items.ts';
import { sweepDeadline } from '../schedule/due-work.ts';
import { createWorker, type JobType, type Worker } from './job-type.ts';
import { sendJob } from './queue.ts';

/**
 * Creates the worker of a job type that works for up to 20 s and leaves the rest to another job. `run` returns whether it
 * finished in time.
 */
export const createLongWorker = <Schema extends z.ZodType>(
  type: JobType<Schema>,
  run: (data: z.output<Schema>, bound: Deadline) => Promise<boolean>,
): Worker =>
  createWorker(type, async (data) => {
    if (!(await run(data, sweepDeadline()))) await sendJob(type, data as z.input<Schema>);
  });
