import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type {
  Context,
  SQSBatchItemFailure,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import * as z from 'zod';
import { toLogEntry } from '../../shared/failure.ts';
import { log, measures } from '../../shared/telemetry.ts';
import { kinds } from './kinds.ts';
import { once } from './once.ts';
import type { JobKind, Message } from './queue.ts';

const Envelope = z.object({ id: z.string(), kind: z.string(), data: z.unknown() });

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

const runRecord = async (
  { body, messageId }: SQSRecord,
  context: Context,
): Promise<SQSBatchItemFailure | undefined> => {
  let kind: string | undefined;
  try {
    const message = Envelope.parse(JSON.parse(body));
    kind = message.kind;
    await runMessage(message, context);
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
