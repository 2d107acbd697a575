import { listShards } from '../../../shared/db/key.ts';
import { sendJob } from '../../../shared/jobs/queue.ts';
import type { Deadline } from '../../../shared/lists/process-items.ts';
import { awaitAll } from '../../../shared/runtime/at-once.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import {
  readDue,
  sliceSize,
  sweepDeadline,
  sweepShard,
} from '../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { tellAuditEvents } from '../audit-events/tail.ts';
import { keepRetention } from '../retention/retention.ts';
import { keepSpendingLimit } from '../spending/limit.ts';
import { sweepJob } from './jobs.ts';
import { reportFailure } from './report.ts';
import { scheduledWork } from './scheduled.ts';

/** Does what is due in a shard, unless that is more than a slice and the queue accepts a job for it. */
const startShard = async (work: ScheduledWork, shard: string, bound: Deadline): Promise<void> => {
  const items = await readDue(work, shard);
  if (items.length === 0) return;
  if (items.length <= sliceSize) return work.run(items, bound);
  const isSent = await sendJob(sweepJob, { work: work.name, shard }).then(
    () => true,
    () => false,
  );
  if (isSent) return;
  const { error } = await sweepShard(work, shard, bound);
  if (error !== undefined) throw error;
};

/**
 * Runs all scheduled work concurrently, for up to 20 s. Work that fails runs again in the next minute and doesn't affect
 * the others.
 */
export const runScheduledWork = async (): Promise<void> => {
  const bound = sweepDeadline();
  await Promise.all([
    ...scheduledWork.map((work) =>
      awaitAll(listShards(work.due).map((shard) => startShard(work, shard, bound))).catch((error) =>
        reportFailure(work, error),
      ),
    ),
    tellAuditEvents(bound).catch((error) => reportFailure({ name: 'audit-events' }, error)),
    keepSpendingLimit().catch((error) => reportFailure({ name: 'spending-limit' }, error)),
    keepRetention().catch((error) => reportFailure({ name: 'retention' }, error)),
  ]);
  getMetrics().addMetric('SweepsFinished', 'Count', 1);
};
