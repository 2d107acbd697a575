import * as z from 'zod';
import type { JobQueue } from './job-queue.ts';

/** Schema of a job's message body (JSON). */
export const Message = z.object({
  /** The same for each delivery of the message. */
  id: z.string(),
  kind: z.string(),
  data: z.unknown(),
  /** When the job was deferred for the first time. */
  deferredSince: z.iso.datetime().optional(),
});
export type Message = z.output<typeof Message>;

/** A type of asynchronous job, shared by sender and worker. */
export interface JobType<Schema extends z.ZodType = z.ZodType> {
  /** Name in messages. */
  readonly name: string;
  /** Schema of the job's data. */
  readonly data: Schema;
  readonly queue: JobQueue;
  /**
   * Runs a job once even if its message is delivered twice. This costs two writes, so omit it if the work is safe to
   * repeat.
   */
  readonly once?: true;
}

/** Defines a job type. A group defines its own in `jobs.ts`, which does not load the work. */
export const defineJob = <Schema extends z.ZodType>(
  name: string,
  data: Schema,
  options: Partial<Pick<JobType, 'once' | 'queue'>> = {},
): JobType<Schema> => ({ name, data, queue: 'work', ...options });

/** Defines a job type that sends an email, once. */
export const defineEmail = <Schema extends z.ZodType>(
  name: string,
  data: Schema,
): JobType<Schema> => defineJob(name, data, { queue: 'mail', once: true });

/** Runs jobs of one type individually. */
export interface Worker {
  readonly type: JobType;
  /**
   * Runs the job. If it throws, the message is delivered again, up to five times, then becomes a dead letter. After a
   * `DeferredError`, it is delivered again as often as necessary for four days.
   */
  run(data: unknown): Promise<void>;
}

/** Creates the worker of a job type. A group does this in `work.ts`. */
export const createWorker = <Schema extends z.ZodType>(
  type: JobType<Schema>,
  run: (data: z.output<Schema>) => Promise<void>,
): Worker => ({ type, run: (data) => run(data as z.output<Schema>) });

/** A message with parsed data. */
export interface JobMessage<Data> {
  readonly id: string;
  readonly data: Data;
}

/** Runs the jobs of one type in a batch, because that costs less. */
export interface BatchWorker {
  readonly type: JobType;
  /**
   * Runs the jobs, of which two may have the same id. Returns the errors of failed messages by id; these are delivered
   * again. If it throws, all are.
   */
  runAll(messages: readonly JobMessage<unknown>[]): Promise<ReadonlyMap<string, unknown>>;
}

/** Creates the batch worker of a job type. */
export const createBatchWorker = <Schema extends z.ZodType>(
  type: JobType<Schema>,
  runAll: (
    messages: readonly JobMessage<z.output<Schema>>[],
  ) => Promise<ReadonlyMap<string, unknown>>,
): BatchWorker => ({
  type,
  runAll: (messages) => runAll(messages as readonly JobMessage<z.output<Schema>>[]),
});
