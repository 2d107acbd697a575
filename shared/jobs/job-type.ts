import * as z from 'zod';

/** A job on its way: what the body of its message says, as JSON. */
export const Message = z.object({
  /** The same however often the message is delivered. */
  id: z.string(),
  kind: z.string(),
  data: z.unknown(),
});
export type Message = z.output<typeof Message>;

/** A kind of work that no request waits for: what its sender and its worker agree on. */
export interface JobType<Schema extends z.ZodType = z.ZodType> {
  /** What its messages call it. */
  readonly name: string;
  /** What a message of this type carries. */
  readonly data: Schema;
  /**
   * Must a message that is delivered twice be worked on once? Then each is remembered, which costs two writes. Leave it out
   * where the work can be repeated without harm.
   */
  readonly once?: true;
}

/** Declares a type of job. A group declares its own in `jobs.ts`, which loads none of the work. */
export const defineJob = <Schema extends z.ZodType>(
  name: string,
  data: Schema,
  options: Pick<JobType, 'once'> = {},
): JobType<Schema> => ({ name, data, ...options });

/** Does the jobs of one type each by itself. */
export interface Worker {
  readonly type: JobType;
  /** Does the work, or throws, and then the message is delivered again: five times, then it is a dead letter. */
  run(data: unknown): Promise<void>;
}

/** Says who does a job. A group says so in `work.ts`. */
export const createWorker = <Schema extends z.ZodType>(
  type: JobType<Schema>,
  run: (data: z.output<Schema>) => Promise<void>,
): Worker => ({ type, run: (data) => run(data as z.output<Schema>) });

/** A message of a type of job, its data parsed. */
export interface JobMessage<Data> {
  readonly id: string;
  readonly data: Data;
}

/** Does the jobs of one type that come in a batch together, because that costs less. */
export interface BatchWorker {
  readonly type: JobType;
  /**
   * Works on these messages, of which two may have the same id. Returns what went wrong, by the ids of the messages that are
   * to be delivered again; where it throws, that is all of them.
   */
  runAll(messages: readonly JobMessage<unknown>[]): Promise<ReadonlyMap<string, unknown>>;
}

/** Says who does jobs by the batch. */
export const createBatchWorker = <Schema extends z.ZodType>(
  type: JobType<Schema>,
  runAll: (
    messages: readonly JobMessage<z.output<Schema>>[],
  ) => Promise<ReadonlyMap<string, unknown>>,
): BatchWorker => ({
  type,
  runAll: (messages) => runAll(messages as readonly JobMessage<z.output<Schema>>[]),
});
