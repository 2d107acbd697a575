import { randomUUID } from 'node:crypto';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '../../../functions/jobs/index.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { lambdaContext } from '../host/lambda-context.ts';

/** Oftener than on AWS (a minute), so that whoever tries something out soon sees what follows, such as a mail. */
const everyMs = 5_000;

/** A turn has as long as on AWS. */
const turnMs = 60_000;

/** What the rule of the stack sends. */
const scheduledEvent = (id: string): ScheduledEvent => ({
  version: '0',
  id,
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time: new Date().toISOString(),
  region: process.env['AWS_REGION'] ?? '',
  resources: [],
  detail: {},
});

const run = async (): Promise<void> => {
  const id = randomUUID();
  try {
    await handler(scheduledEvent(id), lambdaContext(id, Date.now() + turnMs));
  } catch (error) {
    getLogger().error("The minute's work failed", { failure: serializeError(error) });
  }
};

/**
 * Has the minute's work done, now and every five seconds, never two turns at once. The answer ends it and waits for a turn
 * that is running.
 */
export const startSchedule = (): (() => Promise<void>) => {
  let turn: Promise<void> | undefined;
  const take = () => {
    turn ??= run().finally(() => {
      turn = undefined;
    });
  };
  take();
  const timer = setInterval(take, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await turn;
  };
};
