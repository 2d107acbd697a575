import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';

/** A batch of the jobs queue, or the minute's turn of the schedule. */
export type JobsEvent = SQSEvent | ScheduledEvent;

export type JobsHandler = (
  event: JobsEvent,
  context: Context,
) => Promise<SQSBatchResponse | undefined>;

const work: JobsHandler = async (event, context) => {
  // Each is loaded with its first event: they have little in common.
  if ('Records' in event) {
    const { consume } = await import('./consume.ts');
    return consume(event, context);
  }
  const { sweep } = await import('./sweep.ts');
  await sweep();
  return undefined;
};

let built: JobsHandler | undefined;

/** The Lambda function behind the jobs queue and the schedule. Nothing happens before its first event. */
export const handler: JobsHandler = (event, context) => {
  built ??= middy(work)
    .use(injectLambdaContext(getLogger()))
    .use(logMetrics(getMetrics())) as unknown as JobsHandler;
  return built(event, context);
};
