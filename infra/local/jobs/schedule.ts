import { randomUUID } from 'node:crypto';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '../../../functions/jobs/index.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { lambdaContext } from '../lambda-context.ts';

/** Shorter than on AWS (a minute), so that effects such as emails are soon visible. */
const intervalMs = 5_000;

/** As on AWS. */
const timeoutMs = 60_000;

/** Creates the event that the rule of the stack sends. */
const createScheduledEvent = (id: string): ScheduledEvent => ({
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

/** Makes a scheduled run. Logs its failure. */
export const runSchedule = async (): Promise<void> => {
  const id = randomUUID();
  try {
    await handler(createScheduledEvent(id), lambdaContext(id, Date.now() + timeoutMs));
  } catch (error) {
    getLogger().error('Scheduled run failed', { error: serializeError(error) });
  }
};

/**
 * Starts a scheduled run immediately and then every five seconds, never two concurrently. The returned function stops the
 * schedule and waits for the current run.
 */
export const startSchedule = (): (() => Promise<void>) => {
  let current: Promise<void> | undefined;
  const startRun = () => {
    current ??= runSchedule().finally(() => {
      current = undefined;
    });
  };
  startRun();
  const timer = setInterval(startRun, intervalMs).unref();
  return async () => {
    clearInterval(timer);
    await current;
  };
};
