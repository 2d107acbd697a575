import { conditionalPut } from '../db/conditional-write.ts';
import { batchGet, tableName } from '../db/dynamodb.ts';
import { itemParser } from '../db/item-parser.ts';
import { partitionQuery, queryItems } from '../db/query.ts';
import { createItemWrite, type Step } from '../db/transaction.ts';
import { AppError } from '../runtime/errors.ts';
import type { JobQueue } from './job-queue.ts';
import { Message } from './job-type.ts';
import { jobKeys } from './keys.ts';
import { outboxMessage } from './outbox.ts';

/** How long a failed job is kept. */
const retentionSeconds = 30 * 86_400;

/** How many failed jobs are listed. */
export const maxListed = 100;

/** The caller has other jobs to finish. */
const timeoutMs = 2_000;

/** A job that was given up after its last attempt, as stored. */
export interface FailedJob {
  /** Begins with the time (ms since 1970), so that ids are in the order of failure. */
  readonly id: string;
  readonly kind: string;
  readonly queue: JobQueue;
  /** The message (JSON). */
  readonly message: string;
  /** ISO 8601. */
  readonly failedAt: string;
  /** The name of the last error. */
  readonly error: string;
}

const notFound = () => new AppError('NOT_FOUND', 'Failed job not found.');

const parseFailedJob = itemParser<FailedJob>('failed job', ['id', 'kind', 'queue', 'message']);

/**
 * Stores a job that was given up, so that it can be tried again.
 * @throws what the table throws
 */
export const saveFailedJob = async (
  queue: JobQueue,
  { id: messageId, kind, data }: Message,
  error: string,
): Promise<void> => {
  const now = Date.now();
  const job: FailedJob = {
    id: `${now}-${messageId}`,
    kind,
    queue,
    message: JSON.stringify({ id: messageId, kind, data } satisfies Message),
    failedAt: new Date(now).toISOString(),
    error,
  };
  const ttl = Math.ceil(now / 1_000) + retentionSeconds;
  await conditionalPut(
    {
      Item: { ...jobKeys.failed.at({ id: job.id }), ...job, ttl },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    { timeoutMs },
  );
};

/** Lists up to 100 failed jobs, the newest first. */
export const listFailedJobs = async (): Promise<readonly FailedJob[]> => {
  const query = partitionQuery(jobKeys.failed.partition(), true);
  return (await queryItems(query, maxListed, undefined)).map(parseFailedJob);
};

/**
 * Reads a failed job.
 * @throws AppError NOT_FOUND
 */
export const findFailedJob = async (id: string): Promise<FailedJob> => {
  const [item] = await batchGet([jobKeys.failed.at({ id })]);
  if (!item) throw notFound();
  return parseFailedJob(item);
};

/**
 * Creates the steps that enqueue a failed job again, once. Its message keeps its id, so that a job that has run meanwhile
 * doesn't run again.
 */
export const retrySteps = ({ id, queue, message }: FailedJob): readonly Step[] => {
  const parsed = Message.parse(JSON.parse(message));
  const { pk, sk, ...waiting } = outboxMessage(queue, parsed, Date.now());
  const removal = {
    TableName: tableName(),
    Key: jobKeys.failed.at({ id }),
    ConditionExpression: 'attribute_exists(pk)',
  };
  return [
    { write: { Delete: removal }, refused: notFound },
    { write: createItemWrite({ pk, sk }, waiting) },
  ];
};
