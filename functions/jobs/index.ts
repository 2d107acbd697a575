import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { publishMetrics } from '../../shared/runtime/telemetry.ts';
import { runWithin } from '../../shared/runtime/time-left.ts';

/** A batch of the jobs queue, or a scheduled run. */
export type JobsEvent = SQSEvent | ScheduledEvent;

export type JobsHandler = (
  event: JobsEvent,
  context: Context,
) => Promise<SQSBatchResponse | undefined>;

const work: JobsHandler = async (event, context) => {
  // Loaded separately, because the two have little in common.
  if ('Records' in event) {
    const { consume } = await import('./consume.ts');
    return consume(event, context);
  }
  const { runScheduledWork } = await import('./sweeps/sweep.ts');
  await runScheduledWork();
  return undefined;
};

/** The Lambda handler of the jobs queue and the schedule. */
export const handler: JobsHandler = (event, context) =>
  runWithin(context, () => work(event, context).finally(publishMetrics));
