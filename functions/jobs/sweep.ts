import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { deleteDoomed } from '../../shared/doomed-objects.ts';
import { toLogEntry } from '../../shared/failure.ts';
import { log, measures } from '../../shared/telemetry.ts';
import { endShares, forgetTombstones } from '../share/ending.ts';
import { sendUnsent } from './unsent.ts';

/** What is looked after every minute; each does a bounded amount of work, and again what it did not get done. */
const sweeps: Readonly<Record<string, () => Promise<void>>> = {
  'unsent-jobs': sendUnsent,
  'ended-shares': endShares,
  tombstones: forgetTombstones,
  'doomed-objects': deleteDoomed,
};

/** Does every sweep; one that fails doesn't keep the others from theirs, and is tried again in a minute. */
export const sweep = async (): Promise<void> => {
  for (const [name, run] of Object.entries(sweeps)) {
    try {
      await run();
    } catch (error) {
      log().error('A sweep failed', { sweep: name, failure: toLogEntry(error) });
      measures().addMetric('SweepsFailed', MetricUnit.Count, 1);
    }
  }
};
