import { setTimeout as wait } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { saveFailedJob } from '../../shared/jobs/failed-jobs.ts';
import { maxDeliveries } from '../../shared/jobs/job-queue.ts';
import { type BatchWorker, Message, type Worker } from '../../shared/jobs/job-type.ts';
import { defer } from '../../shared/jobs/queue.ts';
import { forEachAtOnce } from '../../shared/runtime/at-once.ts';
import { DeferredError } from '../../shared/runtime/deferred.ts';
import { serializeError } from '../../shared/runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';
import { once } from './once.ts';
import { workers } from './registry.ts';

/** The time reserved for the response, in ms. */
const responseMs = 2_000;

/** How many jobs of a type run concurrently, unless they run as a batch. */
const concurrency = 20;

/** A message of an unknown type of job, for example of a newer version. */
class UnknownJob extends Error {
  override readonly name = 'UnknownJob';
}

/** A job that isn't finished when the function must respond. */
class JobTimeoutError extends Error {
  override readonly name = 'JobTimeoutError';
}

/** Waits for work until the function must respond, because without a response the whole batch counts as failed. */
const withTimeout = async <Result>(
  work: () => Promise<Result>,
  context: Context,
): Promise<Result> => {
  const leftMs = context.getRemainingTimeInMillis() - responseMs;
  if (leftMs <= 0) throw new JobTimeoutError('No time left to start the job');
  const done = new AbortController();
  const { signal } = done;
  const late = wait(leftMs, undefined, { signal }).then(() => {
    throw new JobTimeoutError('Job timed out');
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    done.abort();
  }
};

/** A message as delivered by the queue. */
interface Delivery extends Message {
  /** The id of the queue. */
  readonly messageId: string;
  /** How often it was delivered, this time included. */
  readonly count: number;
}

/** A delivery that failed. */
interface Failure extends Pick<Delivery, 'messageId'> {
  /** Absent if the message can't be read. */
  readonly delivery?: Delivery;
  readonly error: unknown;
}

type Outcome = readonly Failure[];

const findWorker = ({ kind }: Message): Worker | BatchWorker => {
  const found = workers.find(({ type }) => type.name === kind);
  if (!found) throw new UnknownJob(`Unknown type of job: ${kind}`);
  return found;
};

const runOne = async (
  delivery: Delivery,
  { type, run }: Worker,
  context: Context,
): Promise<Outcome> => {
  const { messageId, id, data } = delivery;
  try {
    const parsed = type.data.parse(data);
    const work = () => run(parsed);
    await withTimeout(type.once ? () => once(id, work, context) : work, context).catch((error) => {
      if (error instanceof DeferredError) return defer(type.queue, delivery, error);
      throw error;
    });
    return [];
  } catch (error) {
    return [{ messageId, delivery, error }];
  }
};

/** Runs the jobs of one type individually, with limited concurrency. */
const runEach = async (
  deliveries: readonly Delivery[],
  worker: Worker,
  context: Context,
): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  await forEachAtOnce(deliveries, concurrency, async (delivery) => {
    outcomes.push(await runOne(delivery, worker, context));
  });
  return outcomes;
};

/** Runs the jobs of one type as a batch, except those with invalid data. */
const runBatch = async (
  deliveries: readonly Delivery[],
  worker: BatchWorker,
  context: Context,
): Promise<Outcome> => {
  const failures: Failure[] = [];
  const valid: Delivery[] = [];
  for (const delivery of deliveries) {
    const { messageId, data } = delivery;
    const parsed = worker.type.data.safeParse(data);
    if (parsed.success) valid.push({ ...delivery, data: parsed.data });
    else failures.push({ messageId, delivery, error: parsed.error });
  }
  if (valid.length === 0) return failures;
  const failed = await withTimeout(() => worker.runAll(valid), context).catch(
    (error: unknown) => new Map(valid.map(({ id }) => [id, error])),
  );
  for (const delivery of valid) {
    const { id, messageId } = delivery;
    if (failed.has(id)) failures.push({ messageId, delivery, error: failed.get(id) });
  }
  return failures;
};

const runType = async (
  deliveries: readonly Delivery[],
  context: Context,
): Promise<readonly Outcome[]> => {
  const [first] = deliveries;
  try {
    const worker = findWorker(first as Delivery);
    if ('runAll' in worker) return [await runBatch(deliveries, worker, context)];
    return await runEach(deliveries, worker, context);
  } catch (error) {
    return [deliveries.map((delivery) => ({ messageId: delivery.messageId, delivery, error }))];
  }
};

const parseRecords = (records: readonly SQSRecord[]) => {
  const deliveries: Delivery[] = [];
  const unreadable: Failure[] = [];
  for (const { body, messageId, attributes } of records) {
    try {
      const count = Number(attributes.ApproximateReceiveCount);
      deliveries.push({ ...Message.parse(JSON.parse(body)), messageId, count });
    } catch (error) {
      unreadable.push({ messageId, error });
    }
  }
  return { deliveries, unreadable };
};

/**
 * Stores a job that failed for the last time, so that an administrator can try it again. Returns whether it is stored;
 * otherwise the queue makes it a dead letter. So it does with activity, which is too much to be stored one by one.
 */
const giveUp = async ({ delivery, error }: Failure): Promise<boolean> => {
  if (!delivery || delivery.count < maxDeliveries) return false;
  const queue = workers.find(({ type }) => type.name === delivery.kind)?.type.queue;
  if (queue === undefined || queue === 'activity') return false;
  try {
    await saveFailedJob(queue, delivery, error instanceof Error ? error.name : 'Error');
  } catch {
    return false;
  }
  getMetrics().addMetric('JobsGivenUp', 'Count', 1);
  return true;
};

/**
 * Runs the jobs of a batch, all types concurrently. Returns the ids of failed messages, which are delivered again.
 */
export const consume = async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const { deliveries, unreadable } = parseRecords(event.Records);
  const groups = [...Map.groupBy(deliveries, ({ kind }) => kind).values()];
  const outcomes = await Promise.all(groups.map((group) => runType(group, context)));
  const failures = [unreadable, ...outcomes.flat()].flat();
  for (const { messageId, delivery, error } of failures) {
    const kind = delivery?.kind;
    getLogger().error('Job failed', { messageId, kind, error: serializeError(error) });
    getMetrics().addMetric('JobsFailed', 'Count', 1);
  }
  const isGivenUp = await Promise.all(failures.map(giveUp));
  const delivered = failures.filter((_, at) => !isGivenUp[at]);
  return { batchItemFailures: delivered.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};
