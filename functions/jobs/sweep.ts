import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { serializeError } from '../../shared/runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';
import type { ScheduledWork } from '../../shared/schedule/scheduled-work.ts';
import { sweeps } from './scheduled.ts';

const trySweep = async ({ name, run }: ScheduledWork): Promise<void> => {
  try {
    await run();
  } catch (error) {
    getLogger().error('A sweep failed', { sweep: name, failure: serializeError(error) });
    getMetrics().addMetric('SweepsFailed', MetricUnit.Count, 1);
  }
};

/** Does every sweep, side by side: one that fails or is slow keeps no other from its work, and has its turn in a minute. */
export const sweep = async (): Promise<void> => {
  await Promise.all(sweeps.map(trySweep));
};
