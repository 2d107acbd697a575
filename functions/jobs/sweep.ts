import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { sendUnsent } from '../../shared/jobs/unsent.ts';
import { toLogEntry } from '../../shared/runtime/error-mapping.ts';
import { log, measures } from '../../shared/runtime/telemetry.ts';
import type { ScheduledWork } from '../../shared/schedule/scheduled-work.ts';
import { deleteDoomed } from '../../shared/storage/scheduled-deletions.ts';
import { scheduled as calendar } from '../api/calendar/reminders/scheduled.ts';
import { scheduled as documents } from '../api/documents/scheduled.ts';
import { scheduled as files } from '../api/files/uploads/scheduled.ts';
import { scheduled as share } from '../api/share/ending/scheduled.ts';

/** Everything that is done every minute. */
export const sweeps: readonly ScheduledWork[] = [
  { name: 'unsent-jobs', run: sendUnsent },
  { name: 'doomed-objects', run: deleteDoomed },
  ...calendar,
  ...documents,
  ...files,
  ...share,
];

const trySweep = async ({ name, run }: ScheduledWork): Promise<void> => {
  try {
    await run();
  } catch (error) {
    log().error('A sweep failed', { sweep: name, failure: toLogEntry(error) });
    measures().addMetric('SweepsFailed', MetricUnit.Count, 1);
  }
};

/** Does every sweep, side by side: one that fails or is slow keeps no other from its work, and has its turn in a minute. */
export const sweep = async (): Promise<void> => {
  await Promise.all(sweeps.map(trySweep));
};
