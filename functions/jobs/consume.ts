import { setTimeout as wait } from 'node:timers/promises';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type {
  Context,
  SQSBatchItemFailure,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import { toLogEntry } from '../../shared/failure.ts';
import { log, measures } from '../../shared/telemetry.ts';
import { Message } from './job.ts';
import { kinds } from './kinds.ts';
import { once } from './once.ts';
import type { JobKind } from './queue.ts';

/** What is left of the function's time for answering, in ms. */
const answerMs = 2_000;

const isKind = (name: string): name is JobKind => Object.hasOwn(kinds, name);

/** A message that no kind of job fits: of a newer version, or nobody's. */
class UnknownJob extends Error {
  override readonly name = 'UnknownJob';
}

const runMessage = async ({ id, kind, data }: Message, context: Context): Promise<void> => {
  if (!isKind(kind)) throw new UnknownJob(`There is no job of the kind ${kind}`);
  const { data: schema, run, once: isOnce } = kinds[kind] as (typeof kinds)[JobKind];
  const parsed = schema.parse(data) as never;
  await (isOnce ? once(id, () => run(parsed), context) : run(parsed));
};

/** A job that isn't done when the function has to answer. */
class JobLate extends Error {
  override readonly name = 'JobLate';
}

/** Waits for work as long as the function can: without an answer from it, the whole batch would count as failed. */
const inTime = async (work: Promise<void>, context: Context): Promise<void> => {
  const done = new AbortController();
  const { signal } = done;
  const late = wait(context.getRemainingTimeInMillis() - answerMs, undefined, { signal }).then(
    () => {
      throw new JobLate('The job takes too long');
    },
  );
  try {
    await Promise.race([work, late]);
  } finally {
    done.abort();
  }
};

const runRecord = async (
  { body, messageId }: SQSRecord,
  context: Context,
): Promise<SQSBatchItemFailure | undefined> => {
  let kind: string | undefined;
  try {
    const message = Message.parse(JSON.parse(body));
    kind = message.kind;
    await inTime(runMessage(message, context), context);
    return undefined;
  } catch (error) {
    log().error('A job failed', { messageId, kind, failure: toLogEntry(error) });
    measures().addMetric('JobsFailed', MetricUnit.Count, 1);
    return { itemIdentifier: messageId };
  }
};

/** Does the jobs of a batch, side by side; names those that failed, which are delivered again. */
export const consume = async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const failures = await Promise.all(event.Records.map((record) => runRecord(record, context)));
  return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
};
