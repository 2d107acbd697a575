import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';
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
    return runWithin(context, () => consume(event, context));
  }
  const { runScheduledWork } = await import('./sweeps/sweep.ts');
  await runWithin(context, runScheduledWork);
  return undefined;
};

let built: JobsHandler | undefined;

/** The Lambda handler of the jobs queue and the schedule. Builds itself on its first event. */
export const handler: JobsHandler = (event, context) => {
  built ??= middy(work)
    .use(injectLambdaContext(getLogger()))
    .use(logMetrics(getMetrics())) as unknown as JobsHandler; // Middy's type takes more than events.
  return built(event, context);
};
