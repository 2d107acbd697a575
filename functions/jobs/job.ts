import * as z from 'zod';

/** A job on its way: what the body of its message says, as JSON. */
export const Message = z.object({
  /** The same however often the message is delivered. */
  id: z.string(),
  kind: z.string(),
  data: z.unknown(),
});
export type Message = z.output<typeof Message>;

/** One kind of work that a request doesn't wait for. */
export interface Job<Schema extends z.ZodType = z.ZodType> {
  /** What a message of this kind carries. */
  readonly data: Schema;
  /**
   * Must it not happen again when its message is delivered twice? Then each message is remembered. Work that may as well
   * be done twice is not marked: remembering costs two writes.
   */
  readonly once?: true;
  // Method syntax on purpose: it lets a narrower type of data be stored in a list of jobs.
  /** Does the work, or throws, and then the message is delivered again: five times, then it is a dead letter. */
  run(data: z.output<Schema>): Promise<void>;
}

/** Makes a kind of job; the type of its data comes from its schema. */
export const job = <Schema extends z.ZodType>(kind: Job<Schema>): Job<Schema> => kind;

/** A message of a kind of job, its data parsed. */
export interface Delivered<Data> {
  readonly id: string;
  readonly data: Data;
}

/** One kind of work that is done for all messages of a batch together, because that costs less. */
export interface BatchJob<Schema extends z.ZodType = z.ZodType> {
  /** What a message of this kind carries. */
  readonly data: Schema;
  /**
   * Does the work of these messages, of which two may have the same id. Answers what went wrong, by the ids of the
   * messages that are to be delivered again; where it throws, that is all of them.
   */
  runAll(messages: readonly Delivered<z.output<Schema>>[]): Promise<ReadonlyMap<string, unknown>>;
}

/** Makes a kind of job that is done by the batch; the type of its data comes from its schema. */
export const batchJob = <Schema extends z.ZodType>(kind: BatchJob<Schema>): BatchJob<Schema> =>
  kind;
