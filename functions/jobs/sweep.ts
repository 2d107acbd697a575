import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { serializeError } from '../../shared/runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';
import type { ScheduledWork } from '../../shared/schedule/scheduled-work.ts';
import { scheduledWork } from './scheduled.ts';

const tryRun = async ({ name, run }: ScheduledWork): Promise<void> => {
  try {
    await run();
  } catch (error) {
    getLogger().error('Scheduled work failed', { work: name, error: serializeError(error) });
    getMetrics().addMetric('SweepsFailed', MetricUnit.Count, 1);
  }
};

/** Runs all scheduled work concurrently. Work that fails runs again in the next minute and doesn't affect the others. */
export const runScheduledWork = async (): Promise<void> => {
  await Promise.all(scheduledWork.map(tryRun));
  getMetrics().addMetric('SweepsFinished', MetricUnit.Count, 1);
};
