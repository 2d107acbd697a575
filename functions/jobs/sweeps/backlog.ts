import type * as z from 'zod';
import { claim, releaseClaim } from '../../../shared/db/claim.ts';
import { listShards } from '../../../shared/db/key.ts';
import { jobKeys } from '../../../shared/jobs/keys.ts';
import { sendJob } from '../../../shared/jobs/queue.ts';
import { sweepDeadline, sweepShard } from '../../../shared/schedule/due-work.ts';
import { scheduledWork } from '../scheduled.ts';
import { sweepJob } from './jobs.ts';
import { reportFailure } from './report.ts';

/** The function's timeout: a sweep that holds a shard for longer has died. */
const leaseMs = 60_000;

/**
 * Does the due work of a shard for up to 20 s and leaves the rest to another job. Does nothing while one is at work, which
 * the run of the next minute would otherwise repeat. If it fails or dies, that run sends a new job.
 * @throws Error for unknown work, such as that of a newer version
 */
export const sweepBacklog = async (sweep: z.output<typeof sweepJob.data>): Promise<void> => {
  const { work: name, shard } = sweep;
  const work = scheduledWork.find((one) => one.name === name);
  if (!work || !listShards(work.due).includes(shard)) throw new Error(`Unknown sweep: ${name}`);
  const key = jobKeys.sweep.at({ shard });
  const until = Date.now() + leaseMs;
  const { state, token } = await claim(key, { until, ttl: Math.ceil(until / 1_000) });
  if (state !== 'mine') return;
  const { isAtEnd, error } = await sweepShard(work, shard, sweepDeadline()).finally(() =>
    releaseClaim(key, token),
  );
  if (error !== undefined) reportFailure(work, error);
  if (!isAtEnd) await sendJob(sweepJob, sweep);
};
