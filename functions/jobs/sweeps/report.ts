import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../../../shared/runtime/telemetry.ts';
import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';

/** Logs and counts scheduled work that failed and is tried again in the next minute. */
export const reportFailure = ({ name }: Pick<ScheduledWork, 'name'>, error: unknown): void => {
  getLogger().error('Scheduled work failed', { work: name, error: serializeError(error) });
  getMetrics().addMetric('SweepsFailed', 'Count', 1);
};
