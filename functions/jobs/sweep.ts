import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { deleteDoomed } from '../../shared/doomed-objects.ts';
import { toLogEntry } from '../../shared/failure.ts';
import { log, measures } from '../../shared/telemetry.ts';
import { sendReminders } from '../calendar/reminders.ts';
import { purgeTrash } from '../documents/trash.ts';
import { giveUpUploads } from '../files/unfinished.ts';
import { endShares, forgetTombstones } from '../share/ending.ts';
import { sendUnsent } from './unsent.ts';

/** What is looked after every minute; each does a bounded amount of work, and again what it did not get done. */
export const sweeps = {
  'unsent-jobs': sendUnsent,
  'ended-shares': endShares,
  tombstones: forgetTombstones,
  'trashed-documents': purgeTrash,
  'unfinished-uploads': giveUpUploads,
  'doomed-objects': deleteDoomed,
  'event-reminders': sendReminders,
} as const satisfies Readonly<Record<string, () => Promise<void>>>;

const trySweep = async (name: string, run: () => Promise<void>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    log().error('A sweep failed', { sweep: name, failure: toLogEntry(error) });
    measures().addMetric('SweepsFailed', MetricUnit.Count, 1);
  }
};

/** Does every sweep, side by side: one that fails or is slow keeps no other from its work, and has its turn in a minute. */
export const sweep = async (): Promise<void> => {
  await Promise.all(Object.entries(sweeps).map(([name, run]) => trySweep(name, run)));
};
