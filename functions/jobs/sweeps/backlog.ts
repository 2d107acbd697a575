import type * as z from 'zod';
import { listShards } from '../../../shared/db/key.ts';
import { withLease } from '../../../shared/jobs/lease.ts';
import { sendJob } from '../../../shared/jobs/queue.ts';
import { sweepDeadline, sweepShard } from '../../../shared/schedule/due-work.ts';
import { sweepJob } from './jobs.ts';
import { reportFailure } from './report.ts';
import { scheduledWork } from './scheduled.ts';

/**
 * Does the due work of a shard for up to 20 s and leaves the rest to another job. Does nothing while one is at work, which
 * the run of the next minute would otherwise repeat. If it fails or dies, that run sends a new job.
 * @throws Error for unknown work, such as that of a newer version
 */
export const sweepBacklog = async (sweep: z.output<typeof sweepJob.data>): Promise<void> => {
  const { work: name, shard } = sweep;
  const work = scheduledWork.find((one) => one.name === name);
  if (!work || !listShards(work.due).includes(shard)) throw new Error(`Unknown sweep: ${name}`);
  const swept = await withLease(shard, () => sweepShard(work, shard, sweepDeadline()));
  if (!swept) return;
  if (swept.error !== undefined) reportFailure(work, swept.error);
  if (!swept.isAtEnd) await sendJob(sweepJob, sweep);
};
