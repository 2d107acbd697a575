import { setTimeout as wait } from 'node:timers/promises';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type BatchWorker, Message, type Worker } from '../../shared/jobs/job-type.ts';
import { serializeError } from '../../shared/runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';
import { workers } from './registry.ts';

/** What is left of the function's time for answering, in ms. */
const answerMs = 2_000;

/** How many jobs that are done each by itself are done at once, of each kind. */
const atOnce = 20;

/** A message that no kind of job fits: of a newer version, or nobody's. */
class UnknownJob extends Error {
  override readonly name = 'UnknownJob';
}

/** A job that isn't done when the function has to answer. */
class JobTimeoutError extends Error {
  override readonly name = 'JobLate';
}

/** Waits for work as long as the function can: without an answer from it, the whole batch would count as failed. */
const inTime = async <Result>(work: () => Promise<Result>, context: Context): Promise<Result> => {
  const leftMs = context.getRemainingTimeInMillis() - answerMs;
  if (leftMs <= 0) throw new JobTimeoutError('No time was left to begin the job');
  const done = new AbortController();
  const { signal } = done;
  const late = wait(leftMs, undefined, { signal }).then(() => {
    throw new JobTimeoutError('The job takes too long');
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    done.abort();
  }
};

/** A job as the queue has delivered it. */
interface Delivery extends Message {
  /** What the queue calls it. */
  readonly messageId: string;
}

/** What went wrong with a delivery. */
interface Failure extends Pick<Delivery, 'messageId'> {
  readonly kind?: string;
  readonly error: unknown;
}

type Outcome = readonly Failure[];

const findWorker = ({ kind }: Message): Worker | BatchWorker => {
  const found = workers.find(({ type }) => type.name === kind);
  if (!found) throw new UnknownJob(`There is no job of the kind ${kind}`);
  return found;
};

const runOne = async (
  { messageId, id, kind, data }: Delivery,
  worker: Worker,
  context: Context,
): Promise<Outcome> => {
  try {
    const parsed = worker.type.data.parse(data);
    const run = () => worker.run(parsed);
    const runOnce = async () => {
      const { once } = await import('./once.ts');
      await once(id, run, context);
    };
    await inTime(worker.type.once ? runOnce : run, context);
    return [];
  } catch (error) {
    return [{ messageId, kind, error }];
  }
};

/** Does the jobs of one kind each by itself, some at once. */
const runEach = async (
  deliveries: readonly Delivery[],
  worker: Worker,
  context: Context,
): Promise<readonly Outcome[]> => {
  const waiting = deliveries.values();
  const outcomes: Outcome[] = [];
  const runSome = async () => {
    for (const one of waiting) outcomes.push(await runOne(one, worker, context));
  };
  await Promise.all(Array.from({ length: atOnce }, runSome));
  return outcomes;
};

/** Does the jobs of one kind together, but for those whose data does not fit. */
const runTogether = async (
  deliveries: readonly Delivery[],
  worker: BatchWorker,
  context: Context,
): Promise<Outcome> => {
  const failures: Failure[] = [];
  const fitting: Delivery[] = [];
  for (const delivery of deliveries) {
    const { messageId, kind, data } = delivery;
    const parsed = worker.type.data.safeParse(data);
    if (parsed.success) fitting.push({ ...delivery, data: parsed.data });
    else failures.push({ messageId, kind, error: parsed.error });
  }
  if (fitting.length === 0) return failures;
  const failed = await inTime(() => worker.runAll(fitting), context).catch(
    (error: unknown) => new Map(fitting.map(({ id }) => [id, error])),
  );
  for (const { id, messageId, kind } of fitting) {
    if (failed.has(id)) failures.push({ messageId, kind, error: failed.get(id) });
  }
  return failures;
};

const runKind = async (
  deliveries: readonly Delivery[],
  context: Context,
): Promise<readonly Outcome[]> => {
  const [first] = deliveries;
  try {
    const worker = findWorker(first as Delivery);
    if ('runAll' in worker) return [await runTogether(deliveries, worker, context)];
    return await runEach(deliveries, worker, context);
  } catch (error) {
    return [deliveries.map(({ messageId, kind }) => ({ messageId, kind, error }))];
  }
};

const readAll = (records: readonly SQSRecord[]) => {
  const deliveries: Delivery[] = [];
  const unreadable: Failure[] = [];
  for (const { body, messageId } of records) {
    try {
      deliveries.push({ ...Message.parse(JSON.parse(body)), messageId });
    } catch (error) {
      unreadable.push({ messageId, error });
    }
  }
  return { deliveries, unreadable };
};

/**
 * Does the jobs of a batch, kinds side by side, and of most kinds each by itself; names those that failed, which are
 * delivered again.
 */
export const consume = async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const { deliveries, unreadable } = readAll(event.Records);
  const ofKinds = [...Map.groupBy(deliveries, ({ kind }) => kind).values()];
  const outcomes = await Promise.all(ofKinds.map((ofKind) => runKind(ofKind, context)));
  const failures = [unreadable, ...outcomes.flat()].flat();
  for (const { messageId, kind, error } of failures) {
    getLogger().error('A job failed', { messageId, kind, failure: serializeError(error) });
    getMetrics().addMetric('JobsFailed', MetricUnit.Count, 1);
  }
  return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};
