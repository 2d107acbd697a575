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
